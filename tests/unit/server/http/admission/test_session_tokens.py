import base64

import pytest

from pincite_server.http.admission.session_tokens import SessionTokens, reader_of

TOKENS = SessionTokens(b"a secret of this test")


def test_an_issued_token_is_recognised():
    assert TOKENS.is_valid(TOKENS.issue())


def test_no_two_readers_get_the_same_token():
    assert len({TOKENS.issue() for _ in range(100)}) == 100


def test_a_token_signed_with_another_secret_is_not_recognised():
    assert not SessionTokens(b"another secret").is_valid(TOKENS.issue())


def test_changing_any_byte_of_a_token_breaks_it():
    raw = bytearray(base64.urlsafe_b64decode(TOKENS.issue()))
    for position in range(len(raw)):
        changed = raw.copy()
        changed[position] ^= 1
        assert not TOKENS.is_valid(base64.urlsafe_b64encode(changed).decode())


def test_a_token_has_one_spelling():
    """The last letter has unused bits, `+` is read as `-`, and text after the padding is ignored."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for token in (TOKENS.issue() for _ in range(20)):
        last = letters.index(token[-2])
        spellings = {f"{token[:-2]}{letters[last ^ spare]}=" for spare in (1, 2, 3)}
        spellings |= {
            token.rstrip("="),
            f"{token}=",
            f"{token}\n",
            f" {token}",
            token.replace("-", "+").replace("_", "/"),
        }
        assert not [other for other in spellings - {token} if TOKENS.is_valid(other)]
        assert TOKENS.is_valid(token)


@pytest.mark.parametrize("made_up", ["", "x", "====", "a" * 43, "ä" * 10, base64.urlsafe_b64encode(b"0" * 32).decode()])
def test_a_made_up_token_is_not_recognised(made_up: str):
    assert not TOKENS.is_valid(made_up)


def test_a_token_of_the_previous_secret_is_accepted_and_signed_again_for_the_same_reader():
    before, after = SessionTokens(b"the secret before"), SessionTokens(b"the secret after", b"the secret before")
    old = before.issue()
    assert after.is_valid(old)
    new = after.renewed(old)
    assert new != old
    assert SessionTokens(b"the secret after").is_valid(new)
    assert reader_of(new) == reader_of(old)
    assert after.renewed(new) == new
    assert before.is_valid(old)
    assert not before.is_valid(new)


def test_a_readers_name_is_the_part_of_the_token_that_encodes_only_the_id():
    given = TOKENS.issue()
    assert reader_of(given) != reader_of(TOKENS.issue())
    assert given.startswith(reader_of(given))
    assert reader_of("") == ""
