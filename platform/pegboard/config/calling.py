"""How a tool is called: the block `call`."""

from pegboard.config.declaration import Declaration
from pegboard.config.duration import Seconds


class CallDeclaration(Declaration):
    """How a tool is called."""

    timeout: Seconds = 10.0
    """How long one call may take."""
