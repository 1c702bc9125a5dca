"""Changes are seen, whatever the file system tells."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from pathlib import Path
from shutil import rmtree

import anyio
import pytest

from pegboard.config.server.settings import Settings
from pegboard.config.watch import changes

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    (folder / "tools.d").mkdir(parents=True)
    (folder / "tools.d" / "10.yaml").write_text("tools: []")
    return folder


@pytest.fixture
async def changed(folder: Path) -> AsyncIterator[AsyncGenerator[None, None]]:
    """Return the changes of the folder, after the first time, which comes at once."""
    settings = Settings(root=folder, config=folder, data=folder / ".pegboard")
    async with aclosing(changes(settings)) as found:
        with anyio.fail_after(30):
            await anext(found)
            yield found


async def test_each_kind_of_change_is_seen(folder: Path, changed: AsyncGenerator[None, None]) -> None:
    file = folder / "tools.d" / "10.yaml"
    file.write_text("tools: []  # edited")
    await anext(changed)
    (folder / "tools.xml").write_text("<Tools/>")
    await anext(changed)
    (folder / "tools.xml").rename(folder / "tools.d" / "20.xml")
    await anext(changed)
    (folder / "handlers.py").write_text("")
    await anext(changed)
    (folder / "schemas").mkdir()
    (folder / "schemas" / "address.json").write_text("{}")
    await anext(changed)
    (folder / "schemas" / "address.json").write_text('{"type": "string"}')
    await anext(changed)
    file.chmod(0o600)
    await anext(changed)
    file.unlink()
    await anext(changed)


async def test_a_file_behind_a_link_is_watched_where_it_lies(folder: Path, changed: AsyncGenerator[None, None]) -> None:
    (folder / "real").mkdir()
    real = folder / "real" / "shop.yaml"
    real.write_text("tools: []")
    (folder / "tools.d" / "30.yaml").symlink_to(real)
    await anext(changed)
    real.write_text("tools: []  # edited")
    await anext(changed)


async def test_a_configuration_folder_that_goes_and_comes_back_is_looked_for(
    folder: Path, changed: AsyncGenerator[None, None]
) -> None:
    rmtree(folder)
    await anext(changed)
    (folder / "tools.d").mkdir(parents=True)
    (folder / "tools.d" / "10.yaml").write_text("tools: []")
    await anext(changed)


async def test_a_tools_folder_that_is_made_later_is_seen(folder: Path, changed: AsyncGenerator[None, None]) -> None:
    rmtree(folder / "tools.d")
    await anext(changed)
    (folder / "tools.d").mkdir()
    (folder / "tools.d" / "10.yaml").write_text("tools: []")
    await anext(changed)
    (folder / "tools.d" / "10.yaml").write_text("tools: []  # edited")
    await anext(changed)


async def test_a_link_in_a_circle_is_watched_until_a_document_takes_its_place(
    folder: Path, changed: AsyncGenerator[None, None]
) -> None:
    for name in ("tools.xml", "tools.d/30.yaml", "shop.py", "shop"):
        (folder / name).symlink_to(Path(name).name)
    await anext(changed)
    (folder / "tools.d" / "30.yaml").unlink()
    (folder / "tools.d" / "30.yaml").write_text("tools: []")
    await anext(changed)


async def test_what_is_no_document_is_not_looked_at(folder: Path, changed: AsyncGenerator[None, None]) -> None:
    (folder / "notes.txt").write_text("x")
    (folder / "tools.d" / ".10.yaml.swp").write_text("x")
    (folder / "tools.d" / "10.yaml~").write_text("x")
    (folder / ".pegboard").mkdir()
    with anyio.move_on_after(3) as waiting:
        await anext(changed)
    assert waiting.cancelled_caught
