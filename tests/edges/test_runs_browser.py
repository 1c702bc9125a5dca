"""The pages of runs and of what they write, in Chromium, on a server that runs plans."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from selenium import webdriver

from tests.edges.test_page_browser import FLAGS, Page

pytestmark = pytest.mark.browser

DOCUMENT = """
tools:
  - {name: calculator, description: Calculates., read_only: true}
  - {name: clock, description: Tells the time., call: {approval: always}}
  - {name: write_document, description: Keeps a text., handler: "pegboard.handlers.documents:write_document"}
sites: [{name: sums, route: {fallback: ""}}]
flows:
  - name: tell
    description: Tells the time with care.
    examples: [what time is it in Oslo]
    parameters: {place: name of the place}
    nodes: [{id: now, tool: clock, arguments: {place: "${inputs.place}"}}]
"""
SUM = {"id": "a", "tool": "calculator", "arguments": {"expression": "2 + 3"}}
CAREFUL = {"id": "b", "tool": "clock", "arguments": {"place": "Oslo"}, "depends_on": ["a"]}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """Serve, and return the address."""
    (tmp_path / "tools.yaml").write_text(DOCUMENT, "utf-8")
    with ExitStack() as stack:
        popen = subprocess.Popen(
            [sys.executable, "-m", "pegboard", "serve", "--port", "0", "-c", str(tmp_path)],
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)},
            stderr=subprocess.PIPE,
            text=True,
        )
        stack.enter_context(popen)
        stack.callback(popen.kill)
        assert popen.stderr is not None
        for line in popen.stderr:
            if found := re.search(r"http://127[\d.:]+", line):
                yield found[0]
                break


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    options = webdriver.ChromeOptions()
    options.binary_location = which("chromium") or ""
    for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'browser'}", "--accept-lang=en"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(which("chromedriver")))
    yield Page(driver)
    driver.quit()


def begun(url: str, *plan: Any, question: str = "a sum") -> str:
    body = json.dumps({"plan": plan, "question": question}).encode()
    asked = urllib.request.Request(f"{url}/runs", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        return str(json.load(answer)["run"])


def states(page: Page) -> list[str]:
    return [each.text for each in page.all("#nodes .state")]


def test_runs_are_listed_and_one_is_shown_with_its_steps_and_its_answer(served: str, page: Page) -> None:
    begun(served, SUM, question="<b>two</b> and three")
    page.driver.get(f"{served}/")
    page.until(lambda page: page.all("#examples") and page.text("nav a") == "Runs")
    page.one("nav a").click()
    page.until(lambda page: page.text("#all .state") == "done")
    assert page.text("#all a") == "<b>two</b> and three"
    page.one("#all a").click()
    page.until(lambda page: page.text("#status").startswith("done sums") and "5" in page.text("#answer"))
    assert states(page) == ["done"]
    assert not page.one("#cancel").is_displayed()
    page.one("#log summary").click()
    events = [each.text for each in page.all("#events li")]
    assert (events[0], events[-1]) == ("run started", "run ended · done")
    page.one("#plan summary").click()
    page.until(lambda page: "calculator" in page.text("#plan pre"))
    assert page.complaints() == []


def test_a_step_is_approved_and_the_run_goes_on_while_one_looks(served: str, page: Page) -> None:
    run = begun(served, SUM, CAREFUL)
    page.driver.get(f"{served}/console/runs.html?run={run}")
    page.until(lambda page: states(page) == ["done", "needs an approval"] and page.all("#nodes pre"))
    assert json.loads(page.text("#nodes pre")) == {"place": "Oslo"}
    page.one("#language").click()
    page.until(lambda page: states(page) == ["完成", "需要批准"])
    page.one("#language").click()
    page.until(lambda page: page.text(".choice button") == "Approve")
    page.one(".choice button").click()
    page.until(lambda page: states(page) == ["done", "done"])
    page.until(lambda page: "Oslo" in page.text("#answer"))
    assert page.complaints() == []


def test_what_waits_within_a_step_is_approved_there(served: str, page: Page) -> None:
    run = begun(served, {"id": "t", "tool": "tell", "arguments": {"place": "Oslo"}})
    page.driver.get(f"{served}/console/runs.html")
    page.until(lambda page: page.text("#all .state") == "needs an approval")
    page.driver.get(f"{served}/console/runs.html?run={run}")
    page.until(lambda page: page.text("#status").startswith("needs an approval"))
    assert json.loads(page.text("#nodes pre")) == {"place": "Oslo"}
    assert "now · clock" in page.text("#nodes")
    page.one(".choice button").click()
    page.until(lambda page: page.text("#status").startswith("done") and "Oslo" in page.text("#answer"))
    assert page.complaints() == []


def test_a_step_whose_tool_was_withdrawn_says_so_and_is_approved_all_the_same(
    served: str, page: Page, tmp_path: Path
) -> None:
    run = begun(served, CAREFUL | {"depends_on": []})
    page.driver.get(f"{served}/console/runs.html?run={run}")
    page.until(lambda page: page.all(".choice button"))
    (tmp_path / "tools.yaml").write_text(
        DOCUMENT.replace("sums, route", "sums, exclude: [clock, tell], route"), "utf-8"
    )
    page.until(lambda page: reloaded(page) and "clock has been taken from the tools of its site" in page.text("#nodes"))
    page.one(".choice button").click()
    page.until(lambda page: page.text("#status").startswith("done") and "Oslo" in page.text("#answer"))
    assert page.complaints() == []


def reloaded(page: Page) -> bool:
    page.driver.refresh()
    page.until(lambda page: page.all(".choice button"))
    return True


def test_a_run_says_how_many_of_its_steps_failed(served: str, page: Page) -> None:
    fails = {"id": "f", "tool": "calculator", "arguments": {"expression": "${a.nothing}"}, "on_failure": "continue"}
    begun(served, SUM, fails, question="a sum")
    page.driver.get(f"{served}/console/runs.html")
    page.until(lambda page: "done 1 of 2 steps failed a sum" in page.text("#all").replace("\n", " "))
    page.one("#all a").click()
    page.until(lambda page: page.text("#status").startswith("done 1 of 2 steps failed sums ·"))
    assert page.complaints() == []


def test_a_step_is_denied_and_a_run_is_cancelled(served: str, page: Page) -> None:
    run = begun(served, SUM, CAREFUL)
    page.driver.get(f"{served}/console/runs.html?run={run}")
    page.until(lambda page: len(page.all(".choice button")) == 2)
    page.all(".choice button")[1].click()
    page.until(lambda page: states(page) == ["done", "failed"])
    run = begun(served, SUM, CAREFUL)
    page.driver.get(f"{served}/console/runs.html?run={run}")
    page.until(lambda page: page.one("#cancel").is_displayed() and states(page) == ["done", "needs an approval"])
    page.one("#cancel").click()
    page.until(lambda page: page.text("#status").startswith("cancelled"))
    assert states(page) == ["done", "cancelled"]


def test_a_run_that_is_not_there_is_said(served: str, page: Page) -> None:
    page.driver.get(f"{served}/console/runs.html?run=nobody")
    page.until(lambda page: page.one("#error").is_displayed())
    assert page.text("#error").startswith("There is no run 'nobody'.")


SOUPS = (
    "# Soups\n\n## Cold <b>days</b>\n\n> Warm.\n\n1. *Borscht* [1]\n\n```\n# no heading\n```\n[More](https://b.example)"
)


def written(text: str) -> dict[str, Any]:
    arguments = {"title": "Soups", "text": text, "sources": [{"url": "https://a.example", "name": "A <i>"}]}
    return {"id": "w", "tool": "write_document", "arguments": arguments}


def test_what_a_run_writes_is_listed_and_shown_in_its_versions(served: str, page: Page) -> None:
    for text in ("Soon.", SOUPS):
        run = begun(served, written(text))
        page.driver.get(f"{served}/console/runs.html?run={run}")
        page.until(lambda page: page.all("#answer a"))
    page.one("#answer a").click()
    page.until(lambda page: page.all("#answer h2"))
    assert (page.text("#title"), page.text("#answer h2")) == ("Soups", "Cold <b>days</b>")
    assert [each.tag_name for each in page.all("#answer > *")] == ["h2", "blockquote", "ol", "pre", "p"]
    assert [each.get_attribute("href") for each in page.all("#answer a")] == [
        "https://a.example/",
        "https://b.example/",
    ]
    assert "A <i>" in page.text("#sources")
    assert "version 2 of 2" in page.text("#status")
    page.one("#status a").click()
    page.until(lambda page: page.text("#answer") == "Soon.")
    assert "version 1 of 2" in page.text("#status")
    page.one("#document a").click()
    page.until(lambda page: [each.text for each in page.all("#all a")] == ["Soups"])
    assert page.complaints() == []


def test_a_document_that_is_not_there_is_said(served: str, page: Page) -> None:
    page.driver.get(f"{served}/console/documents.html?document=0123456789abcdef")
    page.until(lambda page: page.one("#error").is_displayed())
    assert "0123456789abcdef" in page.text("#error")
