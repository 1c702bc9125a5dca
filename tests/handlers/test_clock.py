"""The time of day and the calendar, at a moment that the test gives."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.handlers.clock import tell
from pegboard.handlers.clock.dates import named
from pegboard.handlers.clock.places import PLACES
from pegboard.handlers.clock.workdays import between, moved
from pegboard.text import language

NOW = datetime(2025, 11, 30, 14, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what time is it?", "It is 14:05 on Sunday, 30 November 2025 (UTC)."),
        ("what time is it in Tokyo?", "In Tokyo it is 23:05 on Sunday, 30 November 2025 (UTC+09:00)."),
        ("time in New York", "In New York it is 09:05 on Sunday, 30 November 2025 (UTC-05:00)."),
        ("北京现在几点", "北京现在是 2025年11月30日星期日 22:05（UTC+08:00）。"),
        ("今天星期几", "今天是 2025年11月30日，星期日。"),
        ("what's the date today", "30 November 2025 is today, a Sunday."),
        ("what weekday is 3 March 2026", "3 March 2026 is a Tuesday."),
        ("2026年3月1日是星期几", "2026年3月1日是星期日。"),
        ("what date is in 3 days", "3 December 2025 is a Wednesday."),
        ("what was the date 10 days ago", "20 November 2025 was a Thursday."),
        ("两周后是几月几号", "2025年12月14日是星期日。"),
        ("next friday", "5 December 2025 is a Friday."),
        ("下周三是几号", "2025年12月3日是星期三。"),
        ("how long until 25 December", "It is 25 days until Thursday, 25 December 2025."),
        ("days until Christmas?", "It is 25 days until Thursday, 25 December 2025."),
        ("距离春节还有多少天", "距离 2026年2月17日星期二还有 79 天。"),
        (
            "how many days between 2026-03-01 and 2026-01-01",
            "From Thursday, 1 January 2026 to Sunday, 1 March 2026 it is 59 days.",
        ),
        (
            "从今天到12月25号还有几天？",
            "从 2025年11月30日星期日到 2025年12月25日星期四相隔 25 天。",
        ),
    ],
)
def test_a_question_gets_its_answer(question: str, text: str) -> None:
    assert tell(question, "", NOW, language(question)).text == text


@pytest.mark.parametrize("place", ["Paris", "paris", "巴黎", "Europe/Paris"])
def test_a_place_has_several_names(place: str) -> None:
    assert tell("what time is it?", place, NOW, "en").text == (
        "In Paris it is 15:05 on Sunday, 30 November 2025 (UTC+01:00)."
    )


@pytest.mark.parametrize(
    ("named", "answer"),
    [
        ("UTC+8", "It is 22:05 on Sunday, 30 November 2025 (UTC+08:00)."),
        ("utc + 8", "It is 22:05 on Sunday, 30 November 2025 (UTC+08:00)."),
        ("GMT-5", "It is 09:05 on Sunday, 30 November 2025 (UTC-05:00)."),
        ("UTC−5", "It is 09:05 on Sunday, 30 November 2025 (UTC-05:00)."),
        ("UTC+05:30", "It is 19:35 on Sunday, 30 November 2025 (UTC+05:30)."),
        ("UTC+0530", "It is 19:35 on Sunday, 30 November 2025 (UTC+05:30)."),
        ("UTC-0", "It is 14:05 on Sunday, 30 November 2025 (UTC)."),
        ("东八区", "It is 22:05 on Sunday, 30 November 2025 (UTC+08:00)."),
        ("西十二区", "It is 02:05 on Sunday, 30 November 2025 (UTC-12:00)."),
        ("Etc/GMT-8", "In GMT-8 it is 22:05 on Sunday, 30 November 2025 (UTC+08:00)."),
    ],
)
def test_an_offset_from_utc_is_a_place(named: str, answer: str) -> None:
    assert tell("what time is it?", named, NOW, "en").text == answer
    if "/" not in named:
        assert tell(f"what time is it in {named}?", "", NOW, "en").text == answer


def test_a_bare_offset_is_a_place_where_it_stands_alone() -> None:
    assert tell("time?", "+8", NOW, "en").data == tell("time?", "UTC+8", NOW, "en").data


@pytest.mark.parametrize("offset", ["UTC+99", "UTC+14:01", "GMT-13", "UTC+5:75", "UTC+1234567", "东十五区"])
def test_an_offset_that_no_place_has_is_refused(offset: str) -> None:
    expected = f"I do not know a place called “{offset}”."
    assert tell("what time is it?", offset, NOW, "en").text == expected
    assert tell(f"what time is it in {offset}?", "", NOW, "en").text == expected


def test_a_place_of_the_question_that_is_not_known_is_not_taken_for_here() -> None:
    result = tell("What time is it in Timbuktu?", "", NOW, "en")
    assert (result.text, result.status) == ("I do not know a place called “Timbuktu”.", "not_found")


@given(st.text(alphabet="UTCGM+-−:.0123456789东西八十区 ", max_size=20))
def test_any_offset_is_told_or_refused(text: str) -> None:
    assert tell("what time is it?", text, NOW, "en").text


def test_an_unknown_place_is_said_and_guessed_at() -> None:
    result = tell("time?", "Pari", NOW, "en")
    assert (result.text, result.status) == ("I do not know a place called “Pari”. Did you mean Paris?", "not_found")


@pytest.mark.parametrize("question", ["how many days until 31 February", "距离2月30日还有几天"])
def test_a_date_that_does_not_exist_is_asked_back(question: str) -> None:
    assert tell(question, "", NOW, language(question)).status == "needs_clarification"


def test_every_place_has_a_zone() -> None:
    assert len({place.name for place in PLACES.values()}) >= 80
    for place in PLACES.values():
        ZoneInfo(place.zone)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("in a month", date(2026, 2, 28)),
        ("in 2 years", date(2028, 1, 31)),
        ("29 February", date(2028, 2, 29)),
        ("last monday", date(2026, 1, 26)),
        ("day after tomorrow", date(2026, 2, 2)),
        ("大后天", date(2026, 2, 3)),
    ],
)
def test_counting_from_the_end_of_a_month(text: str, day: date) -> None:
    assert [entry.day for entry in named(text, date(2026, 1, 31))] == [day]


@given(st.text(max_size=50), st.dates())
def test_any_text_names_dates_or_none(text: str, today: date) -> None:
    named(text, today)


@given(st.integers(0, 99999), st.sampled_from(["days", "weeks", "months", "years"]))
def test_a_count_beyond_the_calendar_is_no_error(count: int, unit: str) -> None:
    named(f"in {count} {unit}", date(2026, 1, 31))


@pytest.mark.parametrize(
    ("question", "data"),
    [
        ("what date is 5 business days from now", {"date": "2025-12-05", "weekday": 5, "business_days": 5}),
        ("in 3 business days", {"date": "2025-12-03", "weekday": 3, "business_days": 3}),
        ("3 working days ago", {"date": "2025-11-26", "weekday": 3, "business_days": -3}),
        ("10 business days before 2026-01-05", {"date": "2025-12-22", "weekday": 1, "business_days": -10}),
        ("two business days after 2025-12-05", {"date": "2025-12-09", "weekday": 2, "business_days": 2}),
        ("when is the next business day?", {"date": "2025-12-01", "weekday": 1, "business_days": 1}),
        ("10个工作日后是几号", {"date": "2025-12-12", "weekday": 5, "business_days": 10}),
        ("下一个工作日是哪天", {"date": "2025-12-01", "weekday": 1, "business_days": 1}),
        (
            "how many business days between 2025-12-01 and 2025-12-31",
            {"from": "2025-12-01", "to": "2025-12-31", "business_days": 22},
        ),
        ("working days until Christmas?", {"from": "2025-11-30", "to": "2025-12-25", "business_days": 19}),
        (
            "2025-12-01到2025-12-31有多少个工作日",
            {"from": "2025-12-01", "to": "2025-12-31", "business_days": 22},
        ),
    ],
)
def test_business_days_are_monday_to_friday(question: str, data: dict[str, object]) -> None:
    result = tell(question, "", NOW, language(question))
    assert result.data == data
    assert "public holidays" in result.text or "法定节假日" in result.text


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(-800, 800))
def test_going_and_counting_business_days_agree_with_looking_at_each_day(start: date, count: int) -> None:
    day, left, step = start, abs(count), timedelta(days=1 if count > 0 else -1)
    while left:
        day += step
        left -= day.weekday() < 5
    assert moved(start, count) == day
    if count > 0:
        assert between(start, day) == count


@pytest.mark.parametrize(
    "question",
    [
        "30 February 2026",
        "what weekday is 29 Feb 2025",
        "2026-13-01",
        "2月30日是星期几",
        "what date is in 99999999999 days",
        "99999 years ago",
        "31/12/2025",
        "99999999 business days from now",
        "how many business days are there",
    ],
)
def test_what_is_written_like_a_date_and_is_none_is_asked_back_and_not_taken_for_now(question: str) -> None:
    assert tell(question, "", NOW, language(question)).status == "needs_clarification"


def test_a_number_below_zero_at_the_beginning_is_no_offset() -> None:
    assert tell("-5 what time is it?", "", NOW, "en").text == "It is 14:05 on Sunday, 30 November 2025 (UTC)."
