"""The page in Chromium."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import which

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.edges.conftest import Process

pytestmark = pytest.mark.browser

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


class Page:
    """The page in a browser of one language."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return self.one(selector).text

    def until(self, claim: Callable[["Page"], object]) -> None:
        # An element may be replaced between being found and being read: that is not yet the claim.
        replaced = [StaleElementReferenceException, IndexError]
        WebDriverWait(self.driver, 20, ignored_exceptions=replaced).until(lambda _: claim(self))

    def open(self, url: str) -> "Page":
        self.driver.get(url)
        self.until(lambda page: page.all("#examples button"))
        return self

    def ask(self, question: str) -> None:
        box = self.one("#question")
        box.clear()
        box.send_keys(question, Keys.ENTER)

    def complaints(self) -> list[str]:
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries]


Browse = Callable[[str], Page]


@pytest.fixture
def browse(tmp_path: Path) -> Iterator[Browse]:
    with ExitStack() as stack:

        def browsed(language: str) -> Page:
            options = webdriver.ChromeOptions()
            options.binary_location = which("chromium") or ""
            for flag in (*FLAGS, f"--user-data-dir={tmp_path / 'browser'}", f"--accept-lang={language}"):
                options.add_argument(flag)
            options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
            service = webdriver.ChromeService(which("chromedriver"))
            driver = webdriver.Chrome(options=options, service=service)
            stack.callback(driver.quit)
            return Page(driver)

        yield browsed


def test_a_question_is_answered_with_sources_results_and_scores(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.ask("eggs")
    page.until(lambda page: page.all("#sources a"))
    assert page.text("#answer") == "As to 'eggs': see the first thing [1]."
    assert page.text("#answer strong") == "first"
    assert page.one("#answer a.cite").get_attribute("href") == "https://kitchen.example/1"
    assert [card.text for card in page.all("#results h3")] == ["Thing 1 事", "Thing 2 事"]
    assert "1 h 10 min" in page.text("#results li")
    page.one("#decision summary").click()
    assert page.text("#decision summary") == (
        "How this was decided: search · clear winner · no model: embedded scorer · 4 ms"
    )
    assert page.text("#model") == "no model: embedded scorer"
    assert [row.text.split()[:2] for row in page.all("#decision tbody tr")] == [
        ["search", "93"],
        ["details", "62"],
    ]
    assert page.complaints() == []


def test_the_page_speaks_chinese(server: Process, browse: Browse) -> None:
    page = browse("zh-CN").open(server.url)
    assert page.text("#go") == "提问"
    page.one("#examples button").click()
    page.until(lambda page: page.all("#sources a"))
    assert page.text("#asked") == "请 search"
    assert page.one("#answer").get_attribute("lang") == "zh"


def test_another_site_is_asked_with_its_own_examples(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.one("input[value=shop]").send_keys(Keys.SPACE)
    page.until(lambda page: page.all("#examples button")[-1].text == "please order")
    assert page.text("#purpose") == "All about shop."
    page.ask("eggs")
    page.until(lambda page: page.all("#sources a")[0].get_attribute("href") == "https://shop.example/1")


def test_a_link_asks_at_once_and_asking_makes_the_link(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.one("input[value=shop]").send_keys(Keys.SPACE)
    page.ask("eggs & ham")
    page.until(lambda page: page.all("#sources a"))
    link = page.driver.current_url
    assert link == f"{server.url}/?site=shop&q=eggs+%26+ham"
    page.driver.get("about:blank")
    page.open(link)
    page.until(lambda page: page.all("#sources a"))
    assert page.text("#asked") == "eggs & ham"
    assert page.one("input[value=shop]").is_selected()
    assert page.driver.current_url == link


def test_a_link_runs_no_tool_with_side_effects(server: Process, browse: Browse) -> None:
    page = browse("en").open(f"{server.url}/?site=shop&q=please+order")
    page.until(lambda page: page.all("#sources a"))
    page.one("#decision summary").click()
    assert [row.text.split()[0] for row in page.all("#decision tbody tr.chosen")] == ["search"]
    assert page.text("#decision summary").startswith("How this was decided: search · named in the request")


def test_a_link_to_a_site_that_is_not_there_asks_no_other(server: Process, browse: Browse) -> None:
    page = browse("en").open(f"{server.url}/?site=nowhere&q=eggs")
    assert page.text("#error") == "There is no site nowhere here."
    assert page.text("#answer") == ""


def test_the_language_is_switched_and_remembered(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.ask("eggs")
    page.until(lambda page: page.all("#sources a"))
    page.one("#language").click()
    page.until(lambda page: page.text("#examples button").startswith("请"))
    assert page.text("#go") == "提问"
    assert page.text("#results-title") == "结果"
    assert page.text("#decision summary") == "这是如何决定的: search · 明显最佳 · 没有模型：内置评分器 · 4 ms"
    assert "1 小时 10 分钟" in page.text("#results li")
    assert page.text("#language") == "English"
    page.open(server.url)
    assert page.text("#go") == "提问"
    page.one("#language").click()
    page.until(lambda page: page.text("#go") == "Ask")


def test_earlier_questions_are_sent_where_a_model_can_use_them(
    server: Process, server_with_model: Process, browse: Browse
) -> None:
    page = browse("en")
    for url, notices in ((server.url, []), (server_with_model.url, ["prev is ignored without a model"])):
        page.open(url)
        page.ask("eggs")
        page.until(lambda page: page.all("#sources a"))
        assert page.all("#notices li") == []
        page.ask("and without milk?")
        page.until(lambda page: page.all("#sources a") and page.text("#asked") == "and without milk?")
        assert [notice.text for notice in page.all("#notices li")] == notices
        assert page.text("#understood") == "Understood as: eggs and without milk?"
        page.until(lambda page: page.driver.current_url.endswith("q=eggs+and+without+milk%3F"))
    assert page.text("#model") == "model: qwen"


def test_words_are_never_markup(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.ask("<img src=x onerror=alert(1)>")
    page.until(lambda page: page.all("#sources a"))
    assert page.all("#reply img") == []
    assert "<img src=x onerror=alert(1)>" in page.text("#answer")
    assert page.complaints() == []


def test_what_went_wrong_is_shown(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.ask("fail now")
    page.until(lambda page: page.one("#error").is_displayed())
    assert page.text("#error") == "Tool 'search' failed. Try again."


def test_an_answer_can_be_stopped_and_another_asked(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    page.ask("wait for it")
    page.until(lambda page: page.text("#status") == "Asking search")
    page.one("#go").click()
    page.until(lambda page: page.text("#status") == "Stopped.")
    page.ask("eggs")
    page.until(lambda page: page.all("#sources a"))


def test_a_server_that_is_gone_is_told(server: Process, browse: Browse) -> None:
    page = browse("en").open(server.url)
    server.popen.kill()
    server.popen.wait(timeout=30)
    page.ask("eggs")
    page.until(lambda page: page.one("#error").is_displayed())
    assert page.text("#error") == "The server cannot be reached. Is it still running?"


def test_an_edit_that_is_not_served_is_shown_with_its_place(stale_server: Process, browse: Browse) -> None:
    page = browse("en").open(stale_server.url)
    assert page.text("#stale").startswith("The last edit is not served: tools.d/shop.yaml:3:5 PB103 (1 in all).")
    page.one("#language").click()
    assert page.text("#stale").startswith("最近的修改未生效：tools.d/shop.yaml:3:5 PB103")
