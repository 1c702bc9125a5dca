"""Clock: the time of day anywhere, and what is asked of dates: which weekday, how many days."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime

from pegboard.catalog.contract import Context, Result, tool
from pegboard.handlers.clock.dates import Named, looks_dated, named
from pegboard.handlers.clock.offsets import NoOffset, offset_in
from pegboard.handlers.clock.places import Place, find, mentioned, near
from pegboard.handlers.clock.workdays import asks_workdays, between, move_in, moved, start_of
from pegboard.text import Json

_WEEKDAYS = ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日")
_COUNTS = re.compile(
    r"how (?:long|many|much)|\bdays? (?:until|till|to|between|since|left)|\buntil\b"
    r"|几天|多少天|多久|还有|距离|相差|相隔",
    re.IGNORECASE,
)
_ASKS_TIME = re.compile(r"\btime\b|o'clock|\bhour\b|几点|时间|几时", re.IGNORECASE)

_CAPITALISED = re.compile(r"\b(?:in|at)\s+((?-i:[A-Z])[\w'’-]+(?:\s+(?-i:[A-Z])[\w'’-]+)*)", re.IGNORECASE)


@tool
async def clock(context: Context, place: str = "", date: str = "") -> Result:
    """Tell the time at `place` (a city or an IANA zone; else the server's), or what is asked of `date`."""
    return tell(f"{date} {context.question}".strip(), place, datetime.now().astimezone(), context.language)


def tell(question: str, place: str, now: datetime, language: str) -> Result:
    """Return the answer at the moment `now`, which knows its zone; pure."""
    words = _ZH if language == "zh" else _EN
    try:
        where = offset_in(place) or offset_in(question) or _place(place, question)
    except NoOffset as error:
        return Result(words["unknown"].format(place=error), status="not_found")
    asked = place.strip() or ("" if where else _elsewhere(question))
    if asked and where is None:
        guess = near(asked)
        hint = words["near"].format(place=guess) if guess else ""
        return Result(words["unknown"].format(place=asked) + hint, status="not_found")
    local = now.astimezone(where.timezone) if where else now
    days = named(question, local.date())
    if asks_workdays(question):
        return _of_workdays(question, days, local.date(), words)
    if days and (_COUNTS.search(question) or days[0].is_counted or not _ASKS_TIME.search(question)):
        return _of_dates(question, days, local.date(), words)
    if _COUNTS.search(question) or (not days and looks_dated(question)):
        return Result(words["which"], status="needs_clarification")
    return _now(local, where, words, language)


def _place(place: str, question: str) -> Place | None:
    if found := find(place) if place.strip() else None:
        return found
    return next(iter(mentioned(f"{place} {question}")), None)


def _elsewhere(question: str) -> str:
    """Return the place that `question` names by a capital, where only a time of day is asked for."""
    match = _CAPITALISED.search(question) if _ASKS_TIME.search(question) else None
    return "" if match is None or _COUNTS.search(question) else match[1]


def _now(local: datetime, where: Place | None, words: Mapping[str, str], language: str) -> Result:
    offset = local.strftime("%z")
    utc = f"UTC{offset[:3]}:{offset[3:]}" if offset.strip("+-0") else "UTC"
    form = words["now_at"] if where and where.offset is None else words["now"]
    text = form.format(
        place=where.called(language) if where else "",
        time=local.strftime("%H:%M"),
        date=_spoken(local.date(), words),
        utc=utc,
    )
    data: Json = {
        "zone": where.zone if where else utc,
        "time": local.strftime("%H:%M"),
        "date": local.date().isoformat(),
        "utc": local.astimezone(UTC).isoformat(timespec="seconds"),
    }
    return Result(text, data=data)


def _of_dates(question: str, days: list[Named], today: date, words: Mapping[str, str]) -> Result:
    if len(days) >= 2 and _COUNTS.search(question):
        return _between(min(days[0].day, days[1].day), max(days[0].day, days[1].day), words)
    day = days[0].day
    if _COUNTS.search(question) and not days[0].is_counted:
        return _until(today, day, words)
    gap = (day - today).days
    form = words["today"] if gap == 0 else words["was"] if gap < 0 else words["is"]
    text = form.format(date=_plain(day, words), weekday=_weekday(day, words))
    return Result(text, data={"date": day.isoformat(), "weekday": day.isoweekday(), "days": gap})


def _of_workdays(question: str, days: list[Named], today: date, words: Mapping[str, str]) -> Result:
    """Answer which day lies so many business days away, or how many lie between two days."""
    count = move_in(question)
    if count is None:
        ends = sorted([named.day for named in days[:2]] + ([today] if len(days) == 1 else []))
        if len(ends) < 2:
            return Result(words["which"], status="needs_clarification")
        first, last = ends
        found = between(first, last)
        counted = words["workday"] if found == 1 else words["workdays"].format(count=f"{found:,}")
        text = words["between"].format(first=_spoken(first, words), second=_spoken(last, words), days=counted)
        data: Json = {"from": first.isoformat(), "to": last.isoformat(), "business_days": found}
        return Result(f"{text}{words['no_holidays']}", data=data)
    try:
        day = moved(start_of(days, today), count)
    except OverflowError:
        return Result(words["which"], status="needs_clarification")
    text = words["is"].format(date=_plain(day, words), weekday=_weekday(day, words))
    data = {"date": day.isoformat(), "weekday": day.isoweekday(), "business_days": count}
    return Result(f"{text}{words['no_holidays']}", data=data)


def _between(first: date, second: date, words: Mapping[str, str]) -> Result:
    count = abs((second - first).days)
    text = words["between"].format(first=_spoken(first, words), second=_spoken(second, words), days=_days(count, words))
    return Result(text, data={"from": first.isoformat(), "to": second.isoformat(), "days": count})


def _until(today: date, day: date, words: Mapping[str, str]) -> Result:
    count = (day - today).days
    form = words["until"] if count >= 0 else words["since"]
    text = form.format(date=_spoken(day, words), days=_days(abs(count), words))
    return Result(text, data={"from": today.isoformat(), "to": day.isoformat(), "days": count})


def _days(count: int, words: Mapping[str, str]) -> str:
    return words["day"] if count == 1 else words["days"].format(count=f"{count:,}")


def _spoken(day: date, words: Mapping[str, str]) -> str:
    return words["date"].format(weekday=_weekday(day, words), date=_plain(day, words))


def _plain(day: date, words: Mapping[str, str]) -> str:
    if words is _ZH:
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _weekday(day: date, words: Mapping[str, str]) -> str:
    return (_WEEKDAYS if words is _ZH else _DAYS)[day.weekday()]


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Not from `calendar`, whose names follow the server's locale.
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_EN = {
    "now": "It is {time} on {date} ({utc}).",
    "now_at": "In {place} it is {time} on {date} ({utc}).",
    "date": "{weekday}, {date}",
    "is": "{date} is a {weekday}.",
    "was": "{date} was a {weekday}.",
    "today": "{date} is today, a {weekday}.",
    "between": "From {first} to {second} it is {days}.",
    "until": "It is {days} until {date}.",
    "since": "It has been {days} since {date}.",
    "day": "1 day",
    "days": "{count} days",
    "workday": "1 business day",
    "workdays": "{count} business days",
    "no_holidays": " Business days are Monday to Friday; public holidays are not left out.",
    "unknown": "I do not know a place called “{place}”.",
    "near": " Did you mean {place}?",
    "which": "I cannot read a date in that. Which date do you mean, such as 25 December or 2026-03-01?",
}
_ZH = {
    "now": "现在是 {date} {time}（{utc}）。",
    "now_at": "{place}现在是 {date} {time}（{utc}）。",
    "date": "{date}{weekday}",
    "is": "{date}是{weekday}。",
    "was": "{date}是{weekday}。",
    "today": "今天是 {date}，{weekday}。",
    "between": "从 {first}到 {second}相隔 {days}。",
    "until": "距离 {date}还有 {days}。",
    "since": "{date}已经过去 {days}。",
    "day": "1 天",
    "days": "{count} 天",
    "workday": "1 个工作日",
    "workdays": "{count} 个工作日",
    "no_holidays": "（工作日按周一至周五计算，未扣除法定节假日。）",
    "unknown": "我不知道“{place}”是哪里。",
    "near": "您是不是指 {place}？",
    "which": "没有看到日期。请问是哪一天？例如 12月25日 或 2026-03-01。",
}
