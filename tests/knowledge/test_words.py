import pytest

from pegboard.knowledge.words import asked, is_question, is_vague, terms, weights


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Crème Brûlée recipes", ["creme", "brulee", "recipe"]),
        ("grandma's berries, glass", ["grandma", "berry", "glass"]),
        ("dishes, peaches, knives", ["dish", "peach", "knife"]),
        ("番茄汤", ["番茄", "茄汤", "番", "茄", "汤"]),
        ("鱼", ["鱼"]),
        ("ＵＳＢ充电", ["usb", "充电", "充", "电"]),
        ("", []),
    ],
)
def test_a_text_has_terms(text: str, found: list[str]) -> None:
    assert terms(text) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what is the best pasta", ["pasta"]),
        ("怎么退货", ["退货"]),
        ("用什么代替鸡蛋", ["代替", "替鸡", "鸡蛋"]),
        ("鱼", ["鱼"]),
        ("how do I do it", []),
    ],
)
def test_a_question_has_only_terms_that_tell(question: str, found: list[str]) -> None:
    assert asked(question) == found


def test_terms_can_be_split_at_spaces() -> None:
    text = "don't — l'été_ici; 3.5%\t日本語のテキスト 한국어 naïve/ok"
    assert " ".join(terms(text)).split() == terms(text)


def test_questions_are_told_from_things() -> None:
    texts = ("how do I cook rice", "怎么退货", "spicy tofu", "耳机")
    assert [is_question(text) for text in texts] == [True, True, False, False]


def test_what_names_no_thing_is_vague() -> None:
    texts = ("something for dinner", "礼物", "", "vegan soup", "鸡肉菜")
    assert [is_vague(text) for text in texts] == [True, True, True, False, False]


def test_a_rare_term_weighs_more_than_a_common_one() -> None:
    found = weights(["rare", "common", "unknown"], {"rare": 1, "common": 90}, 100)
    assert found["unknown"] > found["rare"] > found["common"] > 0
