"""What every test may use."""

from collections.abc import Iterator

import hypothesis
import pytest

from tests.run.temporal.server import serving

# No deadline on the clock: the machine is shared. The same examples at every run, so that a failure is everybody's.
hypothesis.settings.register_profile("pegboard", deadline=None, derandomize=True)
hypothesis.settings.load_profile("pegboard")

# Many inputs, others each time: `pytest --hypothesis-profile=fuzz tests/config/test_any_bytes.py`.
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000, database=None, print_blob=True)


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio, the loop that the server runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def temporal_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return where a Temporal service of the session answers; tests that use it are marked `temporal`."""
    with serving(tmp_path_factory.mktemp("temporal")) as address:
        yield address
