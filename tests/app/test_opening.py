"""A data folder that cannot be used is said in a sentence."""

from pathlib import Path

import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import PegboardError
from pegboard.llm.hashed import HashedEmbedder


async def test_a_data_folder_that_is_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: []")
    (tmp_path / "data").write_text("")
    settings = settings_from(config=tmp_path, data=tmp_path / "data", environ={})
    with pytest.raises(PegboardError, match="cannot be kept"):
        async with open_app(settings, embedder=HashedEmbedder()):
            raise AssertionError
