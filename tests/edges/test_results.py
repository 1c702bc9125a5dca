"""Results that are too large to be handed around, at the edges."""

import shlex
from pathlib import Path

import httpx2
import pytest

from pegboard.edges.cli.command import run
from tests.edges.twin import TwinApp, TwinBackend

Output = pytest.CaptureFixture[str]


async def test_a_kept_result_is_read_on_by_its_reference(app: TwinApp, client: httpx2.AsyncClient) -> None:
    ref = app.results.put("天气".encode(), "text/plain")
    response = await client.get(f"/results/{ref}", params={"offset": 3})
    assert response.json() == {
        "ref": ref,
        "media_type": "text/plain",
        "offset": 3,
        "bytes": 6,
        "next_offset": None,
        "text": "气",
    }


async def test_a_file_is_downloaded_byte_for_byte_and_run_by_no_browser(
    app: TwinApp, client: httpx2.AsyncClient
) -> None:
    content = b"\x89PNG" + bytes(range(256)) * 300
    ref = app.results.put(content, "image/png")
    response = await client.get(f"/results/{ref}/file")
    assert (response.content, response.headers["content-type"]) == (content, "image/png")
    assert response.headers["content-disposition"] == f'attachment; filename="{ref}"'
    assert response.headers["content-security-policy"].startswith("sandbox")
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/results/none.txt", "/results/..%2Fsecret.txt", "/results/none.txt/file"])
async def test_what_is_not_kept_is_a_problem(client: httpx2.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


async def test_an_offset_that_is_no_place_is_refused(app: TwinApp, client: httpx2.AsyncClient) -> None:
    ref = app.results.put(b"a", "text/plain")
    assert (await client.get(f"/results/{ref}", params={"offset": -1})).status_code == 400


def test_a_call_says_what_its_large_result_is_kept_as_and_another_command_prints_it(
    backend: TwinBackend, capsys: Output
) -> None:
    assert run(["call", "search", "query=large"], backend=backend) == 0
    out, err = capsys.readouterr()
    assert out == "search did large\n"
    ref = err.partition("platform result ")[2].split()[0]
    assert run(["result", ref], backend=backend) == 0
    assert capsys.readouterr().out == "all of it"
    assert run(["result", ref, "--offset", "4", "--json"], backend=backend) == 0
    assert '"text": "of it"' in capsys.readouterr().out
    assert run(["result", "none"], backend=backend) == 2


def test_the_command_that_a_call_names_works_where_the_call_was_made(
    backend: TwinBackend, tmp_path: Path, capsys: Output
) -> None:
    folder, data = tmp_path / "the shop", tmp_path / "data"
    folder.mkdir()
    assert run(["call", "search", "query=large", "-c", str(folder), "--data", str(data)], backend=backend) == 0
    told = capsys.readouterr().err.partition("; platform ")[2].partition(" prints it")[0]
    command = shlex.split(told)
    assert command[2:] == ["-c", str(folder), "--data", str(data)]
    assert run(command, backend=backend) == 0
    assert capsys.readouterr().out == "all of it"


def test_a_reference_of_another_folder_says_where_was_looked(
    backend: TwinBackend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["result", "none", "--data", str(tmp_path / "here")], backend=backend) == 2
    err = capsys.readouterr().err
    assert "Looked in here: name the configuration of the call by -c" in err
    assert "kept for a day" in err
