"""What the source of a module says of a handler, and that it is read and never run."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard import app
from pegboard.catalog.loading.handler import ANYTHING, Signature, signature_of
from pegboard.catalog.loading.kinds import BLOCKS
from pegboard.catalog.loading.modules import MOST_BYTES, SourceFile, find
from pegboard.catalog.loading.resolve import Unresolved, resolve, resolve_nlweb, room_names
from pegboard.catalog.loading.written import Reader
from tests.catalog import handlers_of_a_site

CONTRACT = "from pegboard.catalog.contract import Context, Handler, tool\n"
PREFIXES = ("pegboard.handlers", "written_shop")

Found = TypeVar("Found")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    yield tmp_path
    sys.modules.pop("written_shop", None)


def read(path: str, folder: Path, *, is_nlweb: bool = False) -> Signature | str:
    """Return what is read of `written_shop:f`: its signature, or the code of the problem."""
    return outcome(lambda: Reader(PREFIXES, [*sys.path, str(folder)]).read(path, is_nlweb=is_nlweb))


def outcome(work: Callable[[], Found]) -> Found | str:
    """Return what `work` gives, or the code of the problem."""
    try:
        return work()
    except Unresolved as error:
        return error.code


CASES = {
    # certainly a handler
    "@tool\ndef f(): ...": "",
    "@tool\nasync def f(a: str, *, b: int = 1): ...": "",
    "if True:\n  @tool\n  def f(): ...": "",
    "try:\n  import nothing_of_that_name\nexcept ImportError:\n  @tool\n  def f(): ...": "",
    "class f(Handler):\n  async def call(self, context, arguments): ...": "",
    "class Mine(Handler):\n  async def call(self, context, arguments): ...\nclass f(Mine): ...": "",
    "import pegboard.catalog.contract as c\n@c.tool\ndef f(): ...": "",
    "import pegboard.catalog.contract\n@pegboard.catalog.contract.tool\ndef f(): ...": "",
    "from pegboard.catalog.contract import tool as t\n@t\ndef f(): ...": "",
    # only running it would tell
    "f = tool(lambda: 1)": "",
    "def f(): ...\ntool(f)": "",
    "def g(): ...\ng = f = tool(g)": "",
    "def make():\n  @tool\n  def inner(): ...\n  return inner\nf = make()": "",
    "def mine(function): return tool(function)\n@mine\ndef f(): ...": "",
    "@tool\ndef g(): ...\nglobals()['f'] = g": "",
    "import sys\n@tool\ndef g(): ...\nsys.modules[__name__].f = g": "",
    "exec('@tool\\ndef f(): ...')": "",
    "for f in [tool(lambda: 1)]: ...": "",
    "(f, g) = tool(lambda: 1), 2": "",
    "def f(): ...\nf = tool(lambda: 1)": "",
    "import functools\n@tool\n@functools.cache\ndef f(): ...": "",
    "from pegboard.handlers.calculator import calculator as f": "",
    "from pegboard.handlers.calculator import *\nf = calculator": "",
    # certainly none
    "": "PB403",
    "g = 1": "PB403",
    "def g():\n  f = 1": "PB403",
    "class G:\n  @tool\n  def f(): ...": "PB403",
    "f = 1": "PB404",
    "f = lambda: 1": "PB404",
    "f = {}": "PB404",
    "f: int = 7": "PB404",
    "def f(): ...": "PB404",
    "async def f(): ...": "PB404",
    "class f: ...": "PB404",
    "class G: ...\nclass f(G): ...": "PB404",
    "from os import system as f": "PB402",
    "import os\nf = os.system": "PB402",
    "import json as f": "PB402",
    "@tool\ndef f(a, /): ...": "PB405",
    "@tool\ndef f(*a): ...": "PB405",
    "def f(:": "PB403",
    "\x00": "PB403",
    "f = '\\ud800'": "PB404",
    "def g():\n  global f\n  f = tool(lambda: 1)\ng()": "",
}


@pytest.mark.parametrize(("text", "code"), CASES.items())
def test_the_source_tells_what_is_certain_and_importing_agrees(text: str, code: str, folder: Path) -> None:
    (folder / "written_shop.py").write_text(CONTRACT + text, "utf-8")
    found = read("written_shop:f", folder)
    assert "written_shop" not in sys.modules
    assert (found if isinstance(found, str) else "") == code
    imported = outcome(lambda: signature_of(resolve("written_shop:f", PREFIXES)))
    if isinstance(found, Signature) and found != ANYTHING:
        assert found == imported
    else:
        refused = imported if isinstance(imported, str) else ""
        assert refused == code or {refused, code} == {"PB402", "PB404"}


def test_signatures_are_read_as_importing_has_them() -> None:
    name = handlers_of_a_site.__name__
    known = {each: Reader((name,), sys.path).read(f"{name}:{each}") for each in ("greet", "add", "paint", "weigh")}
    assert known == {each: signature_of(getattr(handlers_of_a_site, each)) for each in known}
    made = {path.partition(":")[0] for path in BLOCKS.values()}  # of a block, with a schema of their own
    for room in (room for room in room_names() if f"pegboard.handlers.{room}" not in made):
        path = f"pegboard.handlers.{room}:{room}"
        assert read(path, Path()) == signature_of(resolve(path, PREFIXES))


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        ("", {"type": "string"}),
        (": list[int]", {"type": "array", "items": {"type": "integer"}}),
        (": 'list[float]'", {"type": "array", "items": {"type": "number"}}),
        (": None | bool", {"type": "boolean"}),
        (": Optional[int]", {"type": "integer"}),
        (": typing.Optional[str]", {"type": "string"}),
        (": Literal['a', 2]", {"enum": ["a", 2]}),
        (": Literal[b'x']", {}),
        (": Annotated[int, 'grams']", {"type": "integer"}),
        (": dict[str, int]", {}),
        (": int | str", {}),
        (": '1 +'", {}),
    ],
)
def test_annotations_are_read(hint: str, schema: object, folder: Path) -> None:
    text = f"import typing\nfrom typing import Annotated, Literal, Optional\n{CONTRACT}@tool\ndef f(a{hint}): ...\n"
    (folder / "written_shop.py").write_text(text, "utf-8")
    found = read("written_shop:f", folder)
    assert isinstance(found, Signature)
    assert found.properties == {"a": schema}
    assert signature_of(resolve("written_shop:f", PREFIXES)).properties == {"a": schema}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("class f:\n  async def do(self): ...", ""),
        ("class G:\n  async def do(self): ...\nclass f(G): ...", ""),
        ("from elsewhere import G\nclass f(G): ...", ""),
        ("class f:\n  def do(self): ...", "PB404"),
        ("class f: ...", "PB404"),
        ("def f(): ...", "PB404"),
    ],
)
def test_a_class_of_nlwebs_contract_is_read_too(text: str, code: str, folder: Path) -> None:
    (folder / "written_shop.py").write_text(text, "utf-8")
    found = read("written_shop:f", folder, is_nlweb=True)
    assert (found if isinstance(found, str) else "") == code
    if "elsewhere" in text:
        return
    imported = outcome(lambda: resolve_nlweb("written_shop:f", PREFIXES))
    assert (imported if isinstance(imported, str) else "") == code


def test_escapes_that_python_warns_of_are_not_our_business(folder: Path) -> None:
    (folder / "written_shop.py").write_text(CONTRACT + "@tool\ndef f(): return '\\d'")
    assert isinstance(read("written_shop:f", folder), Signature)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_as_a_module_give_a_signature_or_a_problem(folder: Path, data: bytes) -> None:
    (folder / "written_shop.py").write_bytes(data)
    assert isinstance(read("written_shop:f", folder), Signature | str)


def test_deep_nesting_is_taken_as_unknown_or_refused(folder: Path) -> None:
    for text in (
        "f = " + "(" * 5000,
        "f = " + "-" * 60_000 + "1",
        "f = a" + ".b" * 20_000,
        "f = " + "[" * 90 + "]" * 90,
    ):
        (folder / "written_shop.py").write_text(text, "utf-8")
        assert isinstance(read("written_shop:f", folder), Signature | str)


def test_what_is_no_readable_source_is_taken_as_right(folder: Path) -> None:
    module = folder / "written_shop.py"
    for data in (b"# \xff\xfe\n", b"#" * (MOST_BYTES + 1)):
        module.write_bytes(data)
        assert read("written_shop:f", folder) == ANYTHING
    module.unlink()
    elsewhere = folder.parent / "elsewhere.py"
    elsewhere.write_text("secret = 1\ndef f(:")
    module.symlink_to(elsewhere)
    assert read("written_shop:f", folder) == ANYTHING


def test_thousands_of_handlers_in_one_module_are_one_reading(folder: Path) -> None:
    module = folder / "written_shop.py"
    module.write_text(CONTRACT + "".join(f"@tool\ndef f{n}(a: int): ...\n" for n in range(3000)))
    reader = Reader(PREFIXES, [str(folder)])
    reader.read("written_shop:f0")
    module.unlink()
    known = [reader.read(f"written_shop:f{n}") for n in range(3000)]
    assert {tuple(signature.properties) for signature in known} == {("a",)}


class TestFind:
    def test_a_package_goes_before_a_module_before_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "one/two").mkdir(parents=True)
        (tmp_path / "one/two/three.py").touch()
        (tmp_path / "one.py").touch()
        assert find("one", [str(tmp_path)]) == SourceFile(tmp_path / "one.py", tmp_path, is_package=False)
        assert find("one.two", [str(tmp_path)]) == "missing"
        (tmp_path / "one/__init__.py").touch()
        assert find("one", [str(tmp_path)]) == SourceFile(tmp_path / "one/__init__.py", tmp_path, is_package=True)
        assert find("one.two.three", [str(tmp_path)]) == SourceFile(
            tmp_path / "one/two/three.py", tmp_path, is_package=False
        )

    def test_a_package_further_on_goes_before_a_folder(self, tmp_path: Path) -> None:
        (tmp_path / "a/one").mkdir(parents=True)
        (tmp_path / "b/one").mkdir(parents=True)
        (tmp_path / "b/one/__init__.py").touch()
        path = [str(tmp_path / "a"), str(tmp_path / "b")]
        assert find("one", path) == SourceFile(tmp_path / "b/one/__init__.py", tmp_path / "b", is_package=True)
        assert find("one.absent", path) == "missing"

    def test_parts_of_a_folder_may_lie_in_several_places(self, tmp_path: Path) -> None:
        for place in ("a/one/two", "b/one/two"):
            (tmp_path / place).mkdir(parents=True)
        (tmp_path / "b/one/two/three.py").touch()
        path = [str(tmp_path / "a"), str(tmp_path / "b")]
        assert find("one.two.three", path) == SourceFile(
            tmp_path / "b/one/two/three.py", tmp_path / "b", is_package=False
        )
        assert find("one.two.four", path) == "unknown"

    def test_what_is_compiled_built_in_or_moved_is_unknown(self, tmp_path: Path) -> None:
        (tmp_path / "compiled.pyc").touch()
        (tmp_path / "moving").mkdir()
        (tmp_path / "moving/__init__.py").write_text("__path__.append('/elsewhere')")
        (tmp_path / "archive.zip").touch()
        assert {find(name, [str(tmp_path)]) for name in ("compiled", "sys", "time", "moving.x")} == {"unknown"}
        assert find("anything", [str(tmp_path / "archive.zip")]) == "unknown"

    def test_an_empty_entry_of_the_search_path_is_the_working_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "one.py").touch()
        monkeypatch.chdir(tmp_path)
        assert find("one", [""]) == SourceFile(Path("one.py"), Path(), is_package=False)


DOCUMENT = """
tools:
  - {name: a, description: A., handler: "trap:run"}
  - {name: b, description: B., handler: "shop.trap:run"}
  - {name: c, description: C., handler: "shop.trap:gone"}
  - {name: d, description: D., handler: "shop.trap:run", returns: {score: integer, colour: text}}
  - {name: e, description: E., handler: "shop.missing:run"}
  - {name: f, description: F., handler: "shop.trap.Class"}
"""
TRAP = (
    "from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n"
    + CONTRACT
    + "@tool\ndef run(size: int): ...\n"
)


def test_checking_without_import_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    for name in ("trap.py", "shop/__init__.py", "shop/trap.py"):
        (tmp_path / name).write_text(TRAP)
    (tmp_path / "pegboard.toml").write_text('handler_prefixes = ["shop"]\nnlweb_handlers = ["shop.trap.Class"]\n')
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    path, loaded = [*sys.path], set(sys.modules)
    report = app.check(config=tmp_path, environ={}, imports=False)
    assert [(problem.code, problem.span.line) for problem in report.problems] == [
        ("PB402", 3), ("PB403", 5), ("PB405", 6), ("PB405", 6), ("PB403", 7), ("PB403", 8),
    ]  # fmt: skip
    assert (report.catalog.tools, report.catalog.disabled) == (6, 4)
    assert [*tmp_path.rglob("*.ran"), *tmp_path.rglob("__pycache__")] == []
    assert sys.path == path
    assert {name for name in set(sys.modules) - loaded if name.startswith(("shop", "trap"))} == set()
