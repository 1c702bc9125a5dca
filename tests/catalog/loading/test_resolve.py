"""Handlers are loaded from allowed prefixes only, and only when they are marked."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pegboard.catalog.loading.resolve import Unresolved, resolve

OWN = "tests.catalog.handlers_of_a_site"
PREFIXES = ("pegboard.handlers", OWN)


@pytest.mark.parametrize("path", [f"{OWN}:greet", f"{OWN}.greet", f"{OWN}:Echo", "pegboard.handlers.search:search"])
def test_a_marked_handler_below_an_allowed_prefix_is_found(path: str) -> None:
    assert callable(resolve(path, PREFIXES))


@pytest.mark.parametrize(
    ("path", "code", "message"),
    [
        ("os:system", "PB402", "not below an allowed prefix"),
        ("pegboard.handlers_of_mine:greet", "PB402", "not below an allowed prefix"),
        ("pegboard.app:open_app", "PB402", "not below an allowed prefix"),
        ("search", "PB402", "no dotted path"),
        (f"{OWN}:__class__", "PB402", "no dotted path"),
        (f"{OWN}.__builtins__.eval", "PB402", "no dotted path"),
        (f"{OWN}:greet.__globals__", "PB402", "no dotted path"),
        ("../evil:run", "PB402", "no dotted path"),
        ("platform.pegboard.handlers.search:search", "PB402", "starts with `platform`"),
        ("pegboard.handlers.serach:search", "PB403", "there is no module"),
        (f"{OWN}:gret", "PB403", "has no 'gret'"),
        ("pegboard.handlers.search", "PB403", "'pegboard.handlers.search' is a module"),
        (f"{OWN}:unmarked", "PB404", "not marked"),
        (f"{OWN}:run_anything", "PB404", "not marked"),
        (f"{OWN}:Handler", "PB404", "not marked"),
    ],
)
def test_what_may_not_be_a_handler_is_refused_with_a_reason(path: str, code: str, message: str) -> None:
    with pytest.raises(Unresolved, match=message) as caught:
        resolve(path, PREFIXES)
    assert caught.value.code == code


def test_a_module_outside_the_prefixes_is_not_even_imported() -> None:
    assert "this" not in sys.modules
    with pytest.raises(Unresolved):
        resolve("this:d", PREFIXES)
    assert "this" not in sys.modules


def test_a_marked_handler_that_was_only_imported_there_is_refused() -> None:
    with pytest.raises(Unresolved, match="comes from 'pegboard\\.handlers\\.calculator") as caught:
        resolve(f"{OWN}:calculator_again", (OWN,))
    assert caught.value.code == "PB402"


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(Unresolved) as caught:
        resolve(f"{OWN}:gret", PREFIXES)
    assert caught.value.hint == "Did you mean 'greet'?"
    with pytest.raises(Unresolved) as caught:
        resolve("pegboard.handlers.serach:search", PREFIXES)
    assert caught.value.hint == "Did you mean 'pegboard.handlers.search'?"


@pytest.mark.parametrize("raises", ["SystemExit(0)", "SystemExit(7)", "GeneratorExit", "asyncio.CancelledError"])
def test_a_module_that_ends_the_process_when_it_is_imported_is_a_problem(
    raises: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_site.py").write_text(f"import asyncio\nraise {raises}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Unresolved, match="cannot be imported") as caught:
        resolve("leaving_site:run", ["leaving_site"])
    assert caught.value.code == "PB403"


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Write a module with a given text, and return its name; it is forgotten afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: list[str] = []

    def write(text: str) -> str:
        names.append(f"module_of_a_site_{len(names)}")
        Path(f"{names[-1]}.py").write_text(text, encoding="utf-8")
        return names[-1]

    yield write
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ndef f(:\n", "{name}.py:2: SyntaxError: invalid syntax"),
        ("\n\nraise RuntimeError('one\\n  two')\n", "{name}.py:3: RuntimeError: one two"),
        ("raise SystemExit\n", "{name}.py:1: SystemExit"),
        ("def f():\n    return 1 / 0\n\nf()\n", "{name}.py:4: ZeroDivisionError: division by zero"),
    ],
)
def test_what_fails_at_import_is_told_in_a_line_with_its_place(
    module: Callable[[str], str], text: str, said: str
) -> None:
    name = module(text)
    with pytest.raises(Unresolved) as caught:
        resolve(f"{name}:f", (name,))
    assert caught.value.message == f"module {name!r} cannot be imported: {said.format(name=name)}"


def test_what_a_module_prints_at_import_does_not_mix_with_results(
    module: Callable[[str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    name = module("from pegboard.catalog.contract import tool\nprint('loud')\n@tool\ndef f() -> None: ...\n")
    resolve(f"{name}:f", (name,))
    assert capsys.readouterr() == ("", "loud\n")


def test_what_was_written_after_the_import_asks_for_a_restart(module: Callable[[str], str]) -> None:
    name = module("from pegboard.catalog.contract import tool\n\n@tool\ndef f() -> None: ...\n")
    resolve(f"{name}:f", (name,))
    Path(f"{name}.py").write_text("def f(): ...\ndef g(): ...\n", encoding="utf-8")
    with pytest.raises(Unresolved, match=f"module '{name}' has no 'g'") as caught:
        resolve(f"{name}:g", (name,))
    assert caught.value.hint == "Its file has it by now: restart the server, which imports a module once."
