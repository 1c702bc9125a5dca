"""What others wrote, between marks that it cannot close: in a prompt it stays data.

Every prompt that holds a question or a piece of content puts it in here.
"""

import re

_OPENS_MARK = re.compile(r"<(?=\s*[|｜/!?A-Za-z])|\[(?=/?INST\])")
"""What could be the fence itself, or a special token of a model: `</question>`, `<|im_end|>`, `[INST]`."""


def fenced(text: str, name: str = "question", **attributes: object) -> str:
    """Put `text` between `<name>` and `</name>`."""
    told = "".join(f' {key}="{harmless(str(value))}"' for key, value in attributes.items())
    return f"<{name}{told}>\n{harmless(text)}\n</{name}>"


def harmless(text: str) -> str:
    """Return `text` with a look-alike for each bracket that could open a mark."""
    return _OPENS_MARK.sub(lambda match: "‹" if match[0] == "<" else "(", text)
