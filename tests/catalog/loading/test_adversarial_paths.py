"""Paths that a document might try: refused before anything is imported, or before anything is called."""

import importlib.abc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pegboard.catalog.load import add_to_path
from pegboard.catalog.loading.entries import offers
from pegboard.catalog.loading.named import Handlers, Loaded
from pegboard.catalog.loading.resolve import Unresolved
from tests.catalog.loading import adversary

PREFIXES = ("pegboard.handlers", "shop.handlers", "json")

BEFORE = (
    # outside the prefixes: Python's own
    "os:system", "os.system", "subprocess:run", "subprocess.Popen", "builtins:eval", "builtins.exec", "sys:exit",
    "importlib:import_module", "importlib.import_module", "operator:attrgetter", "operator.methodcaller", "shutil.rmtree",
    "pickle:loads", "runpy:run_path", "code:interact", "ctypes:CDLL", "antigravity:fly", "this:d", "posixpath.os:system",
    "platform:system", "platform.shop.handlers:run", "platform.pegboard.handlers.search:search",
    # outside the prefixes: files of the configuration's folder
    "evil:run", "evil.run", "shops:run", "shop_handlers:run", "library:marked", "notes:note", "shop:run", "shop.run",
    "shop.other:run", "shop.sub:run", "xmlrpclib:run",
    # look-alikes of a prefix
    "shop.handlersx:run", "shop.handlersx.run", "shop.handlers_:run", "shopx.handlers:run", "shop.handler:run",
    "SHOP.handlers:run", "Shop.Handlers:run", "pegboard.handlersx:run", "pegboard.handlers_of_mine.search:search",
    "pegboardx.handlers.search:search", "pegboard:handlers", "pegboard.app:open_app", "pegboard.catalog.loading.resolve:resolve",
    "jsonx:loads", "json_:loads",
    "\u0455hop.handlers:run", "shop.h\u0430ndlers:run", "shop.handlers:r\u03c5n", "\uff53hop.handlers:run",
    "shop.handlers:run\u200b", "shop.\u202ehandlers:run", "shop\u2024handlers:run", "shop.handlers\uff1arun", "商店.handlers:run",
    # walks and private names
    "shop.handlers:__class__", "shop.handlers:__builtins__", "shop.handlers.__builtins__.eval", "shop.handlers:run.__globals__",
    "shop.handlers:run.__code__", "shop.handlers.run.__call__", "shop.handlers.__init__:run", "pegboard.handlers.__init__:x",
    "pegboard.handlers.search:search.__globals__", "shop.handlers:_private", "shop.handlers._private:run", "__main__:run",
    "shop.handlers:run.func", "shop.handlers:Counter.method", "shop.__init__:run",
    # forms
    "", ".", ":", "..", "shop.handlers:", ":run", "shop.handlers.", ".shop.handlers:run", "shop..handlers:run",
    "shop.handlers.:run", "shop.handlers:.run", "shop.handlers:run:more", "shop.handlers::run", "shop/handlers:run",
    "./evil:run", "../evil:run", "/evil:run", "~.evil:run", "C:\\evil:run", "file:///evil.py:run", "http://evil.example/x:y",
    "shop.handlers:run\n", "\nshop.handlers:run", "shop.handlers:run ", " shop.handlers:run", "shop.handlers: run",
    "shop.handlers:run\t", "shop.handlers:run\r\n", "shop.handlers:run\x00", "shop.handlers:run;import os",
    "shop.handlers:run()", "shop.handlers:run[0]", "shop.handlers:1run", "1shop.handlers:run", "shop-handlers.x:run",
    "${EVIL}:run", "{evil}:run", "-m:evil", "lambda: 0", "eval('1')", "shop.handlers:" + "r" * 5000, "shop." * 2000 + "x:run",
    # names, and NLWeb's own paths
    "evil", "os", "system", "eval", "__import__", "shops", "methods.evil.Evil", "methods.evil:Evil", "core.evil.Evil",
    "methods.evil:run", "code.interact", "code.python.methods.evil.Evil", "methods.statistics_handler.StatisticsHandler",
)  # fmt: skip

AFTER = {
    "system": "PB404", "popen": "PB404", "evaluate": "PB404", "load_module": "PB404", "everything": "PB404",
    "number": "PB404", "nothing": "PB404", "text": "PB404", "os": "PB404", "json": "PB404", "library": "PB404",
    "sub": "PB404", "attrgetter": "PB404", "contextlib": "PB404", "note": "PB404", "tool": "PB404", "Handler": "PB404",
    "unmarked": "PB404", "marked": "PB402", "forged": "PB402", "Marked": "PB402", "Forged": "PB402",
    "ForgedBelow": "PB402", "Inherits": "PB402", "copied": "PB404", "plain": "PB404", "old_mark": "PB404",
    "borrowed_mark": "PB404", "quiet_lambda": "PB404", "partial": "PB404", "bare_partial": "PB404", "counter": "PB404",
    "marked_counter": "PB404", "bound": "PB404", "still": "PB404", "Counter": "PB404", "liar": "PB404", "Liar": "PB404",
    "Strange": "PB404", "Meta": "PB404", "Registered": "PB404", "Abstract": "PB404", "Blocking": "PB404",
    "Attribute": "PB404", "Needy": "PB405", "Pairings": "PB404", "Sync": "PB404", "by_position": "PB405",
    "absent": "PB403", "Result": "PB404",
}  # fmt: skip
"""What `shop.handlers` holds, and why each may not be a handler."""


class Watch(importlib.abc.MetaPathFinder):
    """Notes every module that Python is asked to find."""

    def __init__(self) -> None:
        self.sought: list[str] = []

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: object = None) -> None:
        self.sought.append(fullname)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the adversary's folder, as a configuration's is searched: last."""
    adversary.lay_down(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    add_to_path(tmp_path)
    offers(sys.path)  # what reading entry points itself needs is loaded
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in {"shop", "library", "notes"}]:
        del sys.modules[name]


@pytest.fixture
def watch(folder: Path) -> Iterator[Watch]:
    finder = Watch()
    sys.meta_path.insert(0, finder)
    yield finder
    sys.meta_path.remove(finder)


def refusal(path: str, *, nlweb: tuple[str, ...] = (), imports: bool = True, folder: Path | None = None) -> str:
    """Return the code of the problem that a path is; empty for none."""
    handlers = Handlers(PREFIXES, nlweb, folder, imports=imports)
    return refused(handlers, path)


def refused(handlers: Handlers, path: str) -> str:
    found = handlers.load(path)
    return found.code if isinstance(found, Unresolved) else ""


def test_nothing_is_imported_for_a_path_outside_the_prefixes(folder: Path, watch: Watch) -> None:
    before = set(sys.modules)
    handlers = Handlers(PREFIXES)
    codes = {path: refused(handlers, path) for path in BEFORE}
    assert {code for path, code in codes.items() if ":" in path or "." in path} == {"PB402", "PB406"}
    assert set(codes.values()) == {"PB402", "PB403", "PB406"}
    assert (watch.sought, set(sys.modules) - before, adversary.notes(folder)) == ([], set(), [])
    assert len(BEFORE) == len(set(BEFORE)) > 100


@pytest.mark.parametrize(("name", "code"), AFTER.items())
def test_nothing_is_called_for_a_name_that_is_no_handler(name: str, code: str, folder: Path) -> None:
    assert refusal(f"shop.handlers:{name}") == refusal(f"shop.handlers.{name}") == code
    assert adversary.notes(folder) == []


@pytest.mark.parametrize("name", ["run", "marked_lambda", "noisy", "kept", "Fine", "calculator"])
def test_what_is_marked_and_at_home_is_a_handler(name: str, folder: Path) -> None:
    found = Handlers(PREFIXES).load(f"shop.handlers:{name}")
    assert isinstance(found, Loaded)
    assert adversary.notes(folder) == []


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("shop.handlers.sub:run", "PB403"),
        ("shop.handlers.odd:run", "PB403"),
        ("shop.handlers.broken:run", "PB403"),
        ("shop.handlers.absent:run", "PB403"),
        ("shop.handlers.sub.run.more:run", "PB403"),
        ("json:run", "PB403"),
        ("json:loads", "PB404"),
        ("json:JSONEncoder", "PB404"),
        ("pegboard.handlers.search:Context", "PB404"),
        ("pegboard.handlers:search", "PB403"),
        ("pegboard.handlers.search:re", "PB404"),
    ],
)
def test_neither_is_anything_in_the_modules_around(path: str, code: str, folder: Path) -> None:
    assert refusal("pegboard.handlers.search:search") == ""
    assert refusal(path) == code
    assert adversary.notes(folder) == []


def test_a_file_of_the_folder_shadows_no_module_and_the_one_that_counts_is_named(folder: Path) -> None:
    found = Handlers(("json",)).load("json:run")
    assert isinstance(found, Unresolved)
    assert found.hint.endswith("json/__init__.py.")
    assert str(folder) not in found.hint


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("shop.handlers.Pairings", ""),
        ("shop.handlers:Pairings", ""),
        ("shop.handlers:Sync", "PB404"),
        ("shop.handlers:run", "PB404"),
        ("shop.handlers:Abstract", "PB404"),
        ("shop.other:Pairings", "PB402"),
        ("library:Pairings", "PB402"),
        ("methods.evil.Evil", "PB406"),
        ("shop.handlers:Strange", "PB404"),
        ("shop.handlers:liar", "PB404"),
    ],
)
def test_to_be_listed_for_nlweb_is_not_enough(path: str, code: str, folder: Path) -> None:
    assert refusal(path, nlweb=(path.replace(":", "."),)) == code
    assert adversary.notes(folder) == []


def test_reading_refuses_nothing_that_importing_would_take(folder: Path) -> None:
    by_import, by_reading = Handlers(PREFIXES), Handlers(PREFIXES, folder=folder, imports=False)
    paths = [*(f"shop.handlers:{name}" for name in AFTER), *BEFORE]
    wrong = {path for path in paths if refused(by_reading, path) and not refused(by_import, path)}
    assert wrong == set()
    assert [path for path in BEFORE if not refused(by_reading, path)] == []


def test_reading_imports_nothing_at_all(folder: Path, watch: Watch) -> None:
    for path in (*(f"shop.handlers:{name}" for name in (*AFTER, "run", "Fine")), "shop.handlers.sub:run", "json:loads"):
        refusal(path, imports=False, folder=folder)
    assert (watch.sought, adversary.notes(folder)) == ([], [])


def test_a_strange_letter_is_named() -> None:
    found = Handlers(PREFIXES).load("shop.h\u0430ndlers:run")
    assert isinstance(found, Unresolved)
    assert "CYRILLIC SMALL LETTER A" in found.hint


def test_a_very_long_path_is_not_repeated_whole() -> None:
    found = Handlers(PREFIXES).load("shop." * 2000 + "x:run")
    assert isinstance(found, Unresolved)
    assert len(found.message) < 200
    assert "10,005 characters" in found.hint
