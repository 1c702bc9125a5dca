"""What others wrote, between marks that it cannot close: in a prompt it stays data.

Every prompt that holds a question or a piece of content puts it in here.
"""

import re

_UNSEEN = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
_UNSEEN += "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
"""Characters that take no room, or look like a blank: in a mark they change nothing for who reads it."""
_GAP = rf"[\s\x00-\x1f\x7f-\x9f{_UNSEEN}\u0300-\u036f\u20d0-\u20ff]*"
"""What may stand between the signs of a mark: blanks, what is unseen, and accents, which join the sign before."""
_SLASH = r"[/／⁄∕⧸╱⟋〳\\＼⧵∖]"
_LESS = "<＜﹤‹〈⟨〈❬❮❰⟪《«˂ᐸ≺⪡⧼⋖𝈶≪≮"
"""Signs that open a mark, or look like one that does. In Chinese, `《` and `〈` open the name of a book, and stay."""
_ESCAPED = r"&(?:lt|#0*60|#[xX]0*3[cC]);?|%3[cC]|\\u003[cC]|\\x3[cC]"
"""The same, as other languages write it: a model reads them all."""
_SQUARE = "[［【〔〖〚⟦❲"
_TOKENS = (
    "INST|/INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|CALL_ID|ARGS|THINK|IMG|PREFIX|SUFFIX"
    "|MIDDLE|CONTROL_\\d+|SYS"
)
_OPENS_MARK = re.compile(
    rf"(?<![<＜﹤])[<＜﹤]++(?={_GAP}(?:{_SLASH}|[|｜∣ǀ!?]|[^\W\d_]))"
    rf"|[{_LESS}](?={_GAP}(?:{_SLASH}|[|｜∣ǀ]))"
    rf"|(?:{_ESCAPED})(?={_GAP}(?:{_SLASH}|[|｜∣ǀ!?]|[^\W\d_]))"
    rf"|(?P<square>[{re.escape(_SQUARE)}])(?={_GAP}(?:{_SLASH}|(?:{_TOKENS})\b))"
)
"""What could be the fence itself, or a special token of a model: `</question>`, `<|im_end|>`, `[INST]`."""
_BREAKS = re.compile(r"[\s\"<>]+")


def fenced(text: str, name: str = "question", **attributes: object) -> str:
    """Put `text` between `<name>` and `</name>`."""
    told = "".join(f' {key}="{_attribute(str(value))}"' for key, value in attributes.items())
    return f"<{name}{told}>\n{harmless(text)}\n</{name}>"


def harmless(text: str) -> str:
    """Return `text` with a look-alike for each bracket that could open a mark."""
    return _OPENS_MARK.sub(_look_alike, text)


def _look_alike(match: re.Match[str]) -> str:
    if match["square"]:
        return "("
    return "‹" if match[0][0] in "&%\\" else "‹" * len(match[0])


def _attribute(value: str) -> str:
    """Return `value` so that it ends where its quotes do."""
    return _BREAKS.sub(lambda match: " " if match[0].isspace() else "'", harmless(value)).strip()
