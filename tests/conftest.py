"""What every test may use."""

import hypothesis
import pytest

# No deadline on the clock: the machine is shared. The same examples at every run, so that a failure is everybody's.
hypothesis.settings.register_profile("pegboard", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pegboard")


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, the loop that the server runs on."""
    return "asyncio"
