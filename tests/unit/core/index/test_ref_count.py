"""What another thing has taken the place of is closed when nobody holds it any more."""

from pincite_core.index.ref_count import RefCount


def test_what_nobody_holds_is_closed_when_it_is_retired():
    closed: list[bool] = []
    RefCount(lambda: closed.append(True)).retire()
    assert closed == [True]


def test_what_is_held_is_closed_when_the_last_one_lets_go():
    closed: list[bool] = []
    lease = RefCount(lambda: closed.append(True))
    with lease.held():
        with lease.held():
            lease.retire()
        assert not closed
    assert closed == [True]


def test_it_is_closed_once_however_often_it_is_retired_or_held_after_that():
    closed: list[bool] = []
    lease = RefCount(lambda: closed.append(True))
    lease.retire()
    lease.retire()
    with lease.held():
        pass
    assert closed == [True]


def test_what_is_not_retired_is_never_closed():
    closed: list[bool] = []
    with RefCount(lambda: closed.append(True)).held():
        pass
    assert not closed
