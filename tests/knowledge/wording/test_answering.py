"""The passage that answers is chosen, the sentence that answers goes first, and what is beside the point is left."""

import pytest

from pegboard.catalog.contract import Item, Passage
from pegboard.knowledge.wording.answering import answering, fitting, measuring, sharing
from pegboard.knowledge.wording.asked import Asked


def passage(heading: str, text: str, *, name: str = "Page", language: str = "en", score: float = 60.0) -> Passage:
    return Passage(Item(f"u/{name}", name, "s", "Article", language, "", {}), heading, text, score)


STEPS = passage(
    "How do I start a return?",
    "Start online.\n\n1. Open **Orders**.\n2. Tick the items.\n3. Pack it well.\n4. Hand it over.\n\nThat is all.",
)


def answered(question: str, *passages: Passage) -> list[str]:
    return [piece.text for piece in answering(question, passages)]


def test_steps_are_kept_whole_and_in_order() -> None:
    assert answered("how do I return the items", STEPS)[:2] == [
        "Start online.",
        "1. Open Orders.\n2. Tick the items.\n3. Pack it well.\n4. Hand it over.",
    ]
    bare = passage("退货怎么操作？", "1. 点“申请退货”。\n2. 选方式。\n3. 用原包装装好。\n4. 交寄。", language="zh")
    assert answered("怎么退货", bare) == ["1. 点“申请退货”。\n2. 选方式。\n3. 用原包装装好。\n4. 交寄。"]


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        (
            "积分会过期吗",
            passage("积分怎么赚、怎么花？", "连续 18 个月没有下单，积分全部作废。", language="zh"),
            passage("为什么退的钱比付的少？", "用掉的积分会退成积分。", language="zh", score=70),
        ),
        (
            "包裹破损了怎么办",
            passage("收到时已经坏了", "签收后 7 天内报给我们。", language="zh", name="包裹丢失、破损怎么办"),
            passage("自提点怎么取件？", "包裹到点后凭码取件。", language="zh"),
        ),
        (
            "how do I get my money back",
            passage("How does a refund work?", "We pay it back."),
            passage("When is a back-order charged?", "The money is taken at dispatch.", score=70),
        ),
        (
            "what happens if my card is declined",
            passage(
                "What does the error code mean?", "It tells why the card failed.", name="Why a payment was declined"
            ),
            passage("What happens to my points, gift cards and warranty?", "Points are lost.", score=70),
        ),
        (
            "how do I return a lamp",
            passage("How do I return something?", "Return it by post."),
            passage("How do I return something from abroad?", "Return it by ship."),
        ),
    ],
)
def test_the_passage_that_means_the_same_goes_before_one_with_the_same_words(
    question: str, right: Passage, wrong: Passage
) -> None:
    asked = Asked(question, [wrong, right])
    assert asked.worth(right) > asked.worth(wrong)
    assert answering(question, [wrong, right])[0].passage == right


def test_a_sentence_that_plainly_answers_goes_first() -> None:
    methods = passage("Which methods do you accept?", "We accept five methods. Cash on delivery is not possible.")
    assert answered("can I pay cash on delivery", methods)[0] == "Cash on delivery is not possible."
    hawaii = passage(
        "Do you deliver to Hawaii?", "Yes, at the standard price. Express delivery to Hawaii is not offered."
    )
    assert answered("can you deliver to Hawaii", hawaii)[0] == "Yes, at the standard price."


def test_a_second_passage_is_quoted_only_for_what_the_first_leaves_out() -> None:
    cost = passage("What does a return cost?", "A return costs $6.")
    also = passage("What does a business return cost?", "A return costs $7.", name="Other")
    assert answered("what does a return cost", cost, also) == ["A return costs $6."]


def test_of_a_table_the_row_that_was_asked_for_is_quoted() -> None:
    table = passage("How long does a refund take?", "Count on:\n\n- Card: 5 days\n- Wallet: 2 days\n- Transfer: 3 days")
    assert answered("how long does a refund to my wallet take", table) == ["Count on:\n- Wallet: 2 days"]
    assert answered("how long does a refund take", table) == [
        "Count on:\n- Card: 5 days\n- Wallet: 2 days\n- Transfer: 3 days"
    ]


def test_what_is_beside_the_question_fits_nothing() -> None:
    overview, section = passage("", "All about returns."), passage("How do I return it?", "By post.")
    assert fitting("how do I return it", [overview, section]) == [section]
    assert fitting("how do I return it", [overview]) == [overview]
    assert fitting("do you sell bicycles to dogs", [overview, section]) == []
    assert fitting("anything", []) == []


def test_sentences_that_share_the_most_words_are_found() -> None:
    pages = [passage("", "It keeps for a month."), passage("", "It is red. Freeze portions in a box.")]
    assert [piece.text for piece in sharing("can I freeze portions", pages)] == ["Freeze portions in a box."]
    assert sharing("is it magnetic", pages) == []


def test_an_amount_is_that_of_what_was_asked() -> None:
    steps = ["Rest it for 12 hours in the fridge.", "Heat the oven to 220°C (425°F).", "Roast for 20 minutes. Turn."]
    assert measuring("time", "in the oven", steps) == ["Roast for 20 minutes."]
    assert measuring("time", "on the moon", steps) == []
    assert measuring("temperature", "", steps) == ["Heat the oven to 220°C (425°F)."]
    assert measuring("temperature", "", ["烤箱预热到 150 ℃。", "烤 50 分钟。"]) == ["烤箱预热到 150 ℃。"]
