"""Part typed lines from prompts, output and callouts, in the text of a block of code."""

import re
from dataclasses import dataclass

__all__ = ("CALLOUT", "PROMPT", "CodeLines", "typed_lines", "without_callouts")

PROMPT, CALLOUT = "\x01", "\x02"
"""Characters that stand for an element with a prompt or a callout; both are invisible, and so in no text.

A second `PROMPT` says that the prompt does not end with a blank, so that a blank after it is not typed either.
"""

_SHELL_PROMPT = re.compile(r"^ *\$ ", re.MULTILINE)
_GUARDED = re.compile(  # a callout at the end of a line, with the comment sign before it
    rf"(?:(?:^|[ \t]+)(?:#|//|--|;;|/\*)|[ \t]*<!--)?[ \t]*{CALLOUT}[{CALLOUT} \t]*(?:-->|\*/)?[ \t]*$", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class CodeLines:
    """Typed lines of a block of code, and the lines of output between them if prompts tell the two apart."""

    typed: str
    output: str = ""


def without_callouts(text: str) -> str:
    """Return a text without callouts; at the end of a line the blanks and the comment sign before them go too."""
    return _GUARDED.sub("", text).replace(CALLOUT, "") if CALLOUT in text else text


def typed_lines(text: str, *, has_shell_prompts: bool = False) -> CodeLines:
    """Return the lines after a prompt without it, with their continuations and comments, and other lines as output.

    A text without prompts is typed as a whole. With `has_shell_prompts`, a `$` at the start of a line is a prompt.
    """
    if has_shell_prompts and _SHELL_PROMPT.match(text.lstrip("\n")):
        text = _SHELL_PROMPT.sub(PROMPT, text)
    if PROMPT not in text:
        return CodeLines(text)
    typed: list[str] = []
    output: list[str] = []
    continues = False
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        _, prompt, command = line.partition(PROMPT)
        if prompt:
            typed.append(command.removeprefix(PROMPT + " ").replace(PROMPT, ""))
        elif continues or not line.strip() or (line.startswith("#") and PROMPT in following):
            typed.append(line)
        else:
            output.append(line)
            continue
        continues = line.endswith("\\")
    return CodeLines("\n".join(typed), "\n".join(output))
