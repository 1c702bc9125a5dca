"""What every test may use."""

import hypothesis
import pytest

# No deadline on the clock: the machine is shared. The same examples at every run, so that a failure is everybody's.
hypothesis.settings.register_profile("pegboard", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pegboard")

# Many inputs, others each time: `pytest --hypothesis-profile=fuzz tests/config/test_any_bytes.py`.
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000, database=None, print_blob=True)


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, the loop that the server runs on."""
    return "asyncio"
