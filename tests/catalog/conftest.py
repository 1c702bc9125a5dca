"""Builds catalogs from documents that a test writes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pegboard.catalog.load import CheckReport, check
from pegboard.config.server.settings import read_settings

Check = Callable[..., CheckReport]

OWN = "tests.catalog.handlers_of_a_site"


@pytest.fixture
def checked(tmp_path: Path) -> Check:
    """Return a function that writes documents by their names and checks the folder."""

    def write_and_check(**documents: str) -> CheckReport:
        for name, text in documents.items():
            path = tmp_path / f"{name}.yaml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        settings, problems = read_settings(config=tmp_path, environ={}, handler_prefixes=f"{OWN},{OWN}_types")
        assert not problems
        return check(settings)

    return write_and_check
