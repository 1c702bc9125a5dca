"""What a declaration's handler names: NLWeb's own classes, and what distributions offer."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pegboard.app import check
from pegboard.catalog.load import CheckReport
from pegboard.catalog.loading import counterparts
from pegboard.catalog.loading.named import Handlers, Loaded
from pegboard.catalog.loading.resolve import Unresolved
from pegboard.config.server.settings import Settings, read_settings
from pegboard.text import Json
from tests.twins import context

Laid = Callable[..., CheckReport]
CONTRACT = "from pegboard.catalog.contract import Context, Handler, tool\n"


@pytest.fixture
def laid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laid]:
    """Return a function that writes files by their paths and checks their folder."""
    monkeypatch.setattr(sys, "path", [*sys.path])

    def lay_and_check(files: dict[str, str], *, imports: bool = True) -> CheckReport:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return check(config=tmp_path, environ={}, imports=imports)

    yield lay_and_check
    for name in [name for name in sys.modules if name.partition(".")[0] in {"methods", "shop", "weather_tools"}]:
        del sys.modules[name]


def found(report: CheckReport) -> list[tuple[str, str, int, int]]:
    return [(p.code, p.severity, p.span.line, p.span.column) for p in report.problems]


# NLWeb's own handlers


@pytest.mark.parametrize(
    "folder", ["methods", "core", "code.python.methods", "code.core", "python.methods", "NLWeb.code.python.methods"]
)
@pytest.mark.parametrize("dot", [".", ":"])
def test_nlwebs_classes_lead_to_our_rooms_from_every_tree(folder: str, dot: str) -> None:
    rooms = {
        "item_details.ItemDetailsHandler": "details",
        "compare_items.CompareItemsHandler": "compare",
        "ensemble_tool.EnsembleToolHandler": "ensemble",
        "recipe_substitution.SubstitutionHandler": "recipe_substitutions",
        "accompaniment.AccompanimentHandler": "accompaniment",
    }
    for name, room in rooms.items():
        loaded = Handlers(("pegboard.handlers",)).load(f"{folder}.{dot.join(name.rsplit('.', 1))}")
        assert isinstance(loaded, Loaded)
        assert loaded.path == f"pegboard.handlers.{room}:{room}"


@pytest.mark.parametrize(
    "path",
    [
        "methods.statistics_handler.StatisticsHandler",
        "core.statistics_handler.StatisticsHandler",
        "methods.multi_site_query.MultiSiteQueryHandler",
        "methods.conversation_search.ConversationSearchHandler",
        "methods.cricket_query:CricketQueryHandler",
        "methods.of_a_fork.OwnHandler",
    ],
)
def test_a_class_without_a_room_is_a_problem_of_its_own(path: str) -> None:
    loaded = Handlers(("pegboard.handlers",)).load(path)
    assert isinstance(loaded, Unresolved)
    assert loaded.code == "PB406"


@pytest.mark.parametrize(
    "path",
    [
        "methods.item_details",
        "methods:ItemDetailsHandler",
        "shop.methods.item_details.ItemDetailsHandler",
        "method.item_details.ItemDetailsHandler",
        "methods.item_details.item_details",
    ],
)
def test_what_only_resembles_such_a_path_is_none(path: str) -> None:
    assert counterparts.counterpart(path) is None


XML = """<Tools>
  <Site id="default">
    <Recipe>
      <Tool name="statistics_query">
        <prompt>{request.query}</prompt>
        <returnStruc>{"score": "integer between 0 and 100"}</returnStruc>
        <handler>methods.statistics_handler.StatisticsHandler</handler>
      </Tool>
      <Tool name="substitutes">
        <prompt>{request.query}</prompt>
        <returnStruc>
          {"score": "integer between 0 and 100", "recipe_name": "dish", "dietary_need": "need",
           "unavailable_ingredient": "what is lacking", "preference": "wish", "mood": "of the cook"}
        </returnStruc>
        <handler>methods.recipe_substitution.SubstitutionHandler</handler>
      </Tool>
      <Tool name="details">
        <argument name="item">The item</argument>
        <prompt>{request.query}</prompt>
      </Tool>
      <Tool name="compare">
        <prompt>{request.query}</prompt>
        <returnStruc>{"score": "integer between 0 and 100", "reason": "why", "item2": "the other"}</returnStruc>
        <handler>core.compare_items.CompareItemsHandler</handler>
      </Tool>
    </Recipe>
  </Site>
</Tools>
"""


def test_in_nlwebs_dialect_a_missing_room_and_a_useless_argument_are_warnings(laid: Laid) -> None:
    report = laid({"tools.xml": XML})
    assert found(report) == [("PB406", "warning", 7, 18), ("PB407", "warning", 13, 79)]
    assert (report.ok, report.catalog.tools, report.catalog.disabled) == (True, 4, 1)
    assert [tool.name for tool in report.catalog.sites["default"].tools] == ["substitutes", "details", "compare"]


def test_a_room_takes_the_arguments_that_nlweb_declares(laid: Laid) -> None:
    site = laid({"tools.xml": XML}).catalog.sites["default"]
    details, compare = site.tool("details"), site.tool("compare")
    assert (details.parameters["properties"], details.parameters["required"]) == (
        {"item": {"type": "string", "description": "The item"}},
        ["item"],
    )
    required = compare.parameters["required"]
    assert isinstance(required, list)
    assert sorted(map(str, required)) == ["item1_name", "item2"]


async def test_it_gets_them_under_its_own_names(laid: Laid) -> None:
    site = laid({"tools.xml": XML}).catalog.sites["default"]
    answer = await site.tool("compare").run(context(), {"item1_name": "Aspic", "item2": "Borscht"})
    assert "Aspic" in answer.text
    assert "Borscht" in answer.text
    assert (await site.tool("substitutes").run(context(), {"mood": "bad", "dietary_need": "vegan"})).status != "ok"


def test_names_are_translated_and_texts_of_one_meaning_put_in_a_row() -> None:
    names = {"dietary_need": "reason", "preference": "reason", "queries": "queries", "mood": ""}
    given: dict[str, Json] = {
        "dietary_need": "vegan",
        "preference": "cheap",
        "queries": ["a"],
        "mood": "bad",
        "other": None,
    }
    assert counterparts.translated(given, names) == {"reason": "vegan, cheap", "queries": ["a"]}
    assert counterparts.translated({"preference": "vegan", "dietary_need": "vegan"}, names) == {"reason": "vegan"}
    assert counterparts.translated({"dietary_need": 1, "preference": 2}, names) == {"reason": 1}


def test_in_our_own_dialect_both_are_errors_and_our_own_names_stay_strict(laid: Laid) -> None:
    report = laid(
        {
            "tools.yaml": """
tools:
  - {name: a, description: A., handler: methods.statistics_handler.StatisticsHandler}
  - name: b
    description: B.
    handler: methods.accompaniment.AccompanimentHandler
    returns: {score: integer, search_query: kind, main_item: dish, mood: of the cook}
  - name: c
    description: C.
    handler: pegboard.handlers.accompaniment:accompaniment
    returns: {score: integer, search_query: kind, main_item: dish}
"""
        }
    )
    assert found(report) == [("PB406", "error", 3, 41), ("PB407", "error", 7, 68), ("PB405", "error", 11, 31)]
    assert "handler_prefixes" in report.problems[0].hint


OWN = {
    "pegboard.toml": 'handler_prefixes = ["methods"]\nnlweb_handlers = ["methods.item_details.ItemDetailsHandler"]\n',
    "methods/__init__.py": "",
    "methods/item_details.py": (
        "class ItemDetailsHandler:\n"
        "    def __init__(self, params, handler): self.handler = handler\n"
        "    async def do(self):\n"
        "        await self.handler.send_message({'message_type': 'summary', 'content': 'ours'})\n"
    ),
    "tools.yaml": (
        "tools:\n"
        "  - {name: details, description: D., handler: methods.item_details.ItemDetailsHandler}\n"
        "  - {name: compare, description: C., handler: methods.compare_items.CompareItemsHandler}\n"
    ),
}


@pytest.mark.parametrize("imports", [True, False])
def test_a_module_of_ones_own_goes_before_the_room(imports: bool, laid: Laid) -> None:
    site = laid(OWN, imports=imports).catalog.sites["default"]
    assert [tool.handler for tool in site.tools] == [
        "methods.item_details.ItemDetailsHandler",
        "pegboard.handlers.compare:compare",
    ]


async def test_and_it_runs(laid: Laid) -> None:
    assert (await laid(OWN).catalog.sites["default"].tool("details").run(context(), {})).text == "ours"


def test_a_module_of_ones_own_that_is_broken_is_not_replaced_in_silence(laid: Laid) -> None:
    report = laid({**OWN, "methods/item_details.py": "import not_installed_anywhere\n"})
    assert found(report) == [("PB403", "error", 2, 47)]


# Entry points

ENTRIES = (
    "[pegboard.handlers]\nweather = weather_tools.handlers:weather\nstolen = os:system\n[console_scripts]\nx = y:z\n"
)
OFFERED = {
    "weather_tools/__init__.py": "",
    "weather_tools/handlers.py": CONTRACT + "@tool\ndef weather(city: str): return f'Sun in {city}'\n",
    "weather_tools-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: weather-tools\nVersion: 1.0\n",
    "weather_tools-1.0.dist-info/entry_points.txt": ENTRIES,
    "pegboard.toml": 'handler_prefixes = ["weather_tools"]\n',
    "tools.yaml": "tools: [{name: w, description: W., handler: weather}]\n",
}


@pytest.mark.parametrize("imports", [True, False])
def test_a_distribution_offers_a_handler_under_a_short_name(imports: bool, laid: Laid) -> None:
    report = laid(OFFERED, imports=imports)
    assert report.problems == ()
    tool = report.catalog.sites["default"].tool("w")
    assert (tool.handler, tool.parameters["required"]) == ("weather_tools.handlers:weather", ["city"])
    assert ("weather_tools" in sys.modules) is imports


async def test_it_runs_as_any_other(laid: Laid) -> None:
    tool = laid(OFFERED).catalog.sites["default"].tool("w")
    assert (await tool.run(context(), {"city": "Oslo"})).text == "Sun in Oslo"


@pytest.mark.parametrize(
    ("files", "code", "message", "hint"),
    [
        (
            {"tools.yaml": "tools: [{name: w, handler: wether, description: W.}]"},
            "PB403",
            "no installed distribution offers the handler 'wether'",
            "Installed and allowed: weather (weather-tools).",
        ),
        (
            {"tools.yaml": "tools: [{name: w, handler: calculator, description: W.}]"},
            "PB403",
            "no installed distribution offers the handler 'calculator'",
            "Did you mean 'pegboard.handlers.calculator:calculator'?",
        ),
        (
            {"pegboard.toml": ""},
            "PB402",
            "handler 'weather' of weather-tools is 'weather_tools.handlers:weather', which is not below an allowed prefix",
            'handler_prefixes = ["weather_tools.handlers"]',
        ),
        (
            {"tools.yaml": "tools: [{name: w, handler: stolen, description: W.}]"},
            "PB402",
            "handler 'stolen' of weather-tools is 'os:system', which is not below an allowed prefix",
            "Installed and allowed: weather (weather-tools).",
        ),
        (
            {
                "other-1.dist-info/METADATA": "Name: other\nVersion: 1\n",
                "other-1.dist-info/entry_points.txt": "[pegboard.handlers]\nweather = other:weather\n",
            },
            "PB403",
            "handler 'weather' is offered by other (other:weather) and weather-tools (weather_tools.handlers:weather)",
            "Write the dotted path of the one you mean.",
        ),
        (
            {"weather_tools-1.0.dist-info/entry_points.txt": "[pegboard.handlers]\nweather = weather_tools.handlers:weather.__globals__\n"},
            "PB402",
            "is no dotted path to a handler",
            "",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("imports", [True, False])
def test_an_offer_allows_nothing_and_what_there_is_is_told(
    files: dict[str, str], code: str, message: str, hint: str, imports: bool, laid: Laid
) -> None:
    (problem,) = laid({**OFFERED, **files}, imports=imports).problems
    assert (problem.code, problem.severity) == (code, "error")
    assert message in problem.message
    assert hint in problem.hint


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[pegboard.handlers]\nno equals sign\n", "[pegboard.handlers]\na = \n", "\x00", "[x\n="]
)
def test_metadata_that_is_broken_offers_nothing_and_breaks_nothing(text: str, laid: Laid) -> None:
    broken = {
        "broken-1.dist-info/METADATA": text,
        "broken-1.dist-info/entry_points.txt": text,
        "nameless-1.dist-info/entry_points.txt": "[pegboard.handlers]\nx = y\n",
        "empty.dist-info/x": "",
    }
    assert laid({**OFFERED, **broken}).problems == ()


# The setting


def test_classes_are_listed_by_their_dotted_paths(tmp_path: Path) -> None:
    environ = {"PEGBOARD_NLWEB_HANDLERS": "shop.one.Two, shop.one:Three"}
    settings, problems = read_settings(config=tmp_path, environ=environ)
    assert (settings.nlweb_handlers, problems) == (("shop.one.Two", "shop.one:Three"), [])
    assert Settings(root=tmp_path, config=tmp_path, data=tmp_path).nlweb_handlers == ()
    for wrong in ("Two", ".Two", "shop.", "a:b:c", "platform.x.Y", "shop.one.Two()"):
        _, problems = read_settings(config=tmp_path, environ={"PEGBOARD_NLWEB_HANDLERS": wrong})
        assert [problem.code for problem in problems] == ["PB104"]
