"""What `convert` and `fmt` are given: documents that were written anew, and are not on the disk yet."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pegboard.app import Problem


class Written(Protocol):
    """A document that was written anew: in another syntax, or in the house form."""

    @property
    def problems(self) -> Sequence["Problem"]:
        """What is wrong with it; an error says that it was not written."""
        ...


class Converted(Written, Protocol):
    """A document in another syntax."""

    @property
    def text(self) -> str: ...

    @property
    def comments_left_out(self) -> int:
        """Comments that the other syntax cannot hold."""
        ...


class Formatted(Written, Protocol):
    """A document in the house form."""

    @property
    def before(self) -> str: ...

    @property
    def after(self) -> str: ...

    @property
    def is_changed(self) -> bool:
        """The bytes of its file would change."""
        ...
