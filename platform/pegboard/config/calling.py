"""How a tool is called: the block `call`."""

from typing import Literal

from pegboard.config.declaration import Declaration
from pegboard.config.duration import Seconds


class CallDeclaration(Declaration):
    """How a tool is called."""

    timeout: Seconds = 10.0
    """How long one call may take."""
    output_policy: Literal["reject", "warn", "repair"] = "reject"
    """What becomes of a result that `output` refuses."""
