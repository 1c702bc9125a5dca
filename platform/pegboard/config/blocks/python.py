"""How a handler that is written in Python runs."""

from typing import Annotated, Literal

from pydantic import Field

from pegboard.config.declaration import Declaration


class PythonDeclaration(Declaration):
    """Where the handler's code runs."""

    isolate: Literal["thread", "process"] = "thread"
    """`process`: in a process of its own, which is killed when the call is out of time or nobody waits for it."""
    workers: Annotated[int, Field(ge=1, le=16)] = 1
    """Processes for this tool: so many calls run at once, further ones wait."""
