"""`Expression`: a JMESPath that is declared, compiled once."""

from functools import lru_cache

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.parser import ParsedResult

from pegboard.errors import UpstreamFailed
from pegboard.text import Json

LONGEST = 4096
"""Characters of an expression."""


class Expression:
    """Reads something from a reply."""

    def __init__(self, field: str, text: str) -> None:
        """Compile what the block's `field` says.

        Raises:
            ValueError: it is no JMESPath; with a clause that says where it is wrong.
        """
        self.field = field
        self._compiled = _compiled(text)

    def read(self, value: Json) -> Json:
        """Return what it finds in `value`; None where there is nothing.

        Raises:
            UpstreamFailed: what it finds is of another kind than it works on.
        """
        try:
            found: Json = self._compiled.search(value)
        except (JMESPathError, RecursionError, TypeError, ValueError, OverflowError) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise UpstreamFailed(f"The reply is not what `{self.field}` can read: {why}.") from error
        return found

    def holds(self, value: Json) -> bool:
        """Tell whether what it finds in `value` is true; null, empty texts, lists and objects are not.

        Raises:
            UpstreamFailed
        """
        found = self.read(value)
        return found not in (None, False, "", [], {}) or (found == 0 and not isinstance(found, bool))


@lru_cache(maxsize=1024)
def _compiled(text: str) -> ParsedResult:
    if len(text) > LONGEST:
        raise ValueError(f"has more than {LONGEST} characters")
    try:
        return jmespath.compile(text)
    except (JMESPathError, RecursionError) as error:
        raise ValueError(f"is no JMESPath: {' '.join(str(error).split())}") from error
