"""The title of a report: named in the request, or made of what its parts are about."""

import pytest

from pegboard.catalog.titles import LONGEST, named, title_for


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        ("查一下北京天气，再推荐三道适合今天的汤，写成报告保存", "北京天气；适合今天的汤"),
        ("北京今天天气怎么样，推荐两道汤，比较它们，写成报告", "北京今天天气；两道汤"),
        ("比较两道汤的热量，整理成文档", "汤的热量"),
        ("找几道素菜，总结一下存起来", "几道素菜"),
        ("写一份关于汤的报告", "汤的报告"),
        ("check the weather in Xi'an, find a soup that suits it and save a report", "Weather in Xi'an; soup that suits it"),
        (
            "compare the two best rated pasta recipes under 30 minutes and suggest a wine, then save a report",
            "Best rated pasta recipes under 30 minutes; wine",
        ),
        ("What is the weather in Atlantis? Find soups for it, write a report and save it", "Weather in Atlantis; soups for it"),
        ("find three vegan desserts, summarise them and keep the summary", "Vegan desserts"),
        ("find soups and compare the first two, then save it", "Soups"),
        ("write a report about soups", "Soups"),
        ("read the news, look at the weather in Paris and save it as a report", "News; weather in Paris"),
        ("recommend desserts and put them into a document", "Desserts"),
        ("保存", ""),
        ("Save it.", ""),
    ],
)  # fmt: skip
def test_a_title_says_what_the_parts_of_a_request_are_about(request_: str, title: str) -> None:
    assert title_for(request_) == title


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("查一下北京天气，写成报告《今日的汤》保存", "今日的汤"),
        ("推荐三道汤，保存为“本周的汤”", "本周的汤"),
        ("推荐三道汤，写一份报告，题为：《汤》", "汤"),
        ('find soups and save a report titled "Soups of the week, with noodles"', "Soups of the week, with noodles"),
        ("find soups, write a report titled Soups of the week and save it", "Soups of the week"),
        ("keep these notes under the title Soups of the week", "Soups of the week"),
        ("find soups and save the result as 'Soups'", "Soups"),
        ('write a report called "Soups"', "Soups"),
        ("推荐《红楼梦》里的三道菜，写成报告", ""),
        ('find a soup called "Borscht" and write a report', ""),
        ("find soups and write a report", ""),
    ],
)
def test_a_title_that_a_request_names_is_taken_and_no_other_name_is(request_: str, name: str) -> None:
    assert named(request_) == name
    assert not name or title_for(request_) == name


def test_the_parts_that_are_known_count_and_no_more_than_a_line_is_made_of_them() -> None:
    assert title_for("什么，写成报告", ["推荐三道适合今天的汤", "查一下北京天气"]) == "适合今天的汤；北京天气"
    assert len(title_for("find " + "soup " * 300)) <= LONGEST


@pytest.mark.parametrize("again", ["、save", " and save", ", and then write", "，再保存", ' report as "', "find "])
def test_a_long_request_of_nothing_but_orders_is_soon_read(again: str) -> None:
    assert len(title_for("soup" + again * 1000 + ",x")) <= LONGEST
