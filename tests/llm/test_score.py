import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import ModelMalformed
from pegboard.llm.score import ScoreReply, read_score
from tests.llm.test_reply import FRAGMENTS


@pytest.mark.parametrize(
    ("text", "score", "defence"),
    [
        ('{"score": 88}', 88, "none"),
        ('{"score": 88.0}', 88, "none"),
        ('{"score": "88"}', 88, "none"),
        ('{"score": "88/100"}', 88, "none"),
        ('{"score": "8/10"}', 80, "none"),
        ('{"score": "88%"}', 88, "none"),
        ('{"score": "about 88"}', 88, "none"),
        ('{"score": "88 out of 100"}', 88, "none"),
        ('{"score": "８８分"}', 88, "none"),
        ('{"score": "88分（满分100）"}', 88, "none"),
        ('{"score": 0}', 0, "none"),
        ('{"Score": 88}', 88, "none"),
        ('{"得分": 88}', 88, "none"),
        ('{"result": {"score": 88}}', 88, "none"),
        ('[{"score": 88}]', 88, "none"),
        ("88", 88, "none"),
        ('"88"', 88, "none"),
        ("{'score': 88}", 88, "lenient"),
        ('{"score": 88,}', 88, "lenient"),
        ('{"score": "88 %"}', 88, "none"),
        ('{"score": "8 out of 10"}', 80, "none"),
        ('{"score": 88} // fits', 88, "cleaned"),
        ("88.", 88, "prose"),
        ("Score: 88", 88, "prose"),
        ("**Score:** 88/100\nIt fits, for it takes 30 minutes.", 88, "prose"),
        ("I would rate it 88.", 88, "prose"),
        ("得分：88分", 88, "prose"),
        ("我给它打88分", 88, "prose"),
        ("大约 88", 88, "prose"),
    ],
)
def test_a_score_is_read_in_every_shape(text: str, score: float, defence: str) -> None:
    assert read_score(text) == ScoreReply(score, "", {}, defence)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        '{"score": true}',
        '{"score": null}',
        '{"score": NaN}',
        '{"score": 1e400}',
        '{"score": [88]}',
        '{"score": {"value": 88}}',
        '{"score": "eighty"}',
        '{"score": "eighty-eight"}',
        '{"score": "八十八"}',
        "Score: eighty-eight",
        '{"score": Infinity}',
        "NaN",
        "[90]",
        '{"score": "between 80 and 90"}',
        '{"score": ""}',
        '{"city": "Paris"}',
        "[]",
        "null",
        "true",
        "",
        "eighty",
        "The user wants meals in 30 minutes",
        '[{"score": 1}, {"score": 2}]',
        "{'a': (1, 2)}",
    ],
)
def test_what_is_no_score_is_not_taken_for_zero(text: str) -> None:
    with pytest.raises(ModelMalformed):
        read_score(text)


@pytest.mark.parametrize(
    "text",
    ["9" * 10_000, "Score: " + "9" * 10_000, "Score: 1234567890123.5", "9" * 13 + "分", '{"score": ' + "9" * 4090],
)
def test_a_number_longer_than_any_score_is_not_searched_for_one(text: str) -> None:
    with pytest.raises(ModelMalformed):
        read_score(text)


def test_a_score_out_of_range_is_taken_as_the_nearest_and_noted() -> None:
    assert read_score('{"score": 150}') == ScoreReply(100, "", {}, "none", "150 is out of range, taken as 100")
    assert read_score('{"score": -5}') == ScoreReply(0, "", {}, "none", "-5 is out of range, taken as 0")


def test_a_score_below_zero_is_taken_as_zero_and_noted() -> None:
    assert read_score('{"score": -3}') == ScoreReply(0, "", {}, "none", "-3 is out of range, taken as 0")


def test_a_reply_that_is_cut_off_says_so() -> None:
    assert read_score('{"score": 88') == ScoreReply(88, "", {}, "lenient", is_cut_off=True)
    assert read_score('{"score": 88, "city": "New Y') == ScoreReply(
        88, "", {"city": "New Y"}, "lenient", is_cut_off=True
    )


def test_the_value_with_a_score_is_taken_among_several() -> None:
    text = 'You ask for {"city": "Paris", "days": 2, "more": "words"}: {"score": 88}'
    assert read_score(text) == ScoreReply(88, "", {}, "cleaned")


def test_the_text_is_kept_as_it_came() -> None:
    assert read_score("Score: 88").raw == "Score: 88"
    with pytest.raises(ModelMalformed) as caught:
        read_score("eighty")
    assert caught.value.raw == "eighty"


def test_what_stands_beside_the_score_is_reason_and_arguments() -> None:
    reply = read_score('{"score": 91, "justification": "asks for weather", "city": "北京", "days": 2}')
    assert reply == ScoreReply(91, "asks for weather", {"city": "北京", "days": 2}, "none")


def test_the_error_says_what_stood_in_place_of_the_score() -> None:
    with pytest.raises(ModelMalformed, match='The score is "八十", not a number'):
        read_score('{"score": "八十"}')


@given(FRAGMENTS)
def test_whatever_the_text_a_score_lies_between_0_and_100_or_is_malformed(text: str) -> None:
    try:
        reply = read_score(text)
    except ModelMalformed:
        return
    assert 0 <= reply.score <= 100


@given(
    st.integers(0, 100),
    st.sampled_from(['{{"score": {}}}', '{{"score": "{}"}}', "{}", "Score: {}", "{}/100", "{}%"]),
)
def test_every_whole_score_is_read_back(score: int, shape: str) -> None:
    assert read_score(shape.format(score)).score == score
