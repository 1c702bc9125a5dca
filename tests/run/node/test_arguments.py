"""What a node is called with: what it takes of others, under one numbering of their evidence."""

from pegboard.catalog.contract import Evidence, Result
from pegboard.catalog.result_json import result_json
from pegboard.plan.graph import Node
from pegboard.plan.references import ABSENT, Gave
from pegboard.run.journal.stored import Output
from pegboard.run.node.arguments import arguments_of
from pegboard.text import Json, to_json

SUN, WIND = Evidence(1, "Sun", "https://sun.example", "Sun"), Evidence(2, "Wind", "https://wind.example", "Wind")
OUTPUTS = {
    name: Output(to_json(result_json(result)), "")
    for name, result in {
        "sky": Result("Sun [1], wind [2].", evidence=(SUN, WIND)),
        "soup": Result("Hot [1], windy [2].", evidence=(Evidence(1, "Hot", "", "Soup"), WIND)),
        "code": Result("a[1]"),
        "rows": Result("Rows [1].", data=[7], evidence=(SUN,)),
    }.items()
}


def arguments(**given: Json) -> dict[str, Json]:
    def of(name: str) -> Json | Gave:
        return OUTPUTS[name].gave() if name in OUTPUTS else ABSENT

    found = arguments_of(Node("n", "write", given), of, OUTPUTS.get)
    assert isinstance(found, dict), found
    return found


def test_what_two_steps_say_is_cited_under_one_numbering_with_all_that_it_rests_on() -> None:
    found = arguments(text="${sky.text}\n${soup}", sources=["${sky.evidence.*}", "${soup.evidence.*}"])
    assert found["text"] == "Sun [1], wind [2].\nHot [3], windy [2]."
    sources = found["sources"]
    assert isinstance(sources, list)
    assert [(each["number"], each["name"]) for each in sources if isinstance(each, dict)] == [
        (1, "Sun"), (2, "Wind"), (3, "Soup"), (2, "Wind"),
    ]  # fmt: skip


def test_what_one_step_alone_says_stays_as_it_is() -> None:
    assert arguments(text="${soup.text}", about="${sky.items}") == {"text": "Hot [1], windy [2].", "about": []}


def test_the_words_of_a_step_that_cites_nothing_stay_as_they_are() -> None:
    assert arguments(text="${sky} ${soup} ${code}")["text"] == "Sun [1], wind [2]. Hot [3], windy [2]. a[1]"


def test_data_is_never_rewritten_and_what_is_not_there_is_nothing() -> None:
    found = arguments(rows="${rows}", said=["${rows.text}", "${sky.text}"], more=["${gone.evidence.*}"])
    assert found == {"rows": [7], "said": ["Rows [1].", "Sun [1], wind [2]."], "more": []}
