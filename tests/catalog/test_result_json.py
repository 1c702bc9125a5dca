"""What references to a node find in its result."""

import pytest

from pegboard.catalog.contract import Result
from pegboard.catalog.result_json import gave, result_json
from pegboard.plan.references import Unresolvable, resolved
from pegboard.text import Json


def looked_up(text: str, data: Json) -> Json:
    held = gave(result_json(Result("said", data=data)))
    return resolved(text, lambda name: held)


@pytest.mark.parametrize(
    ("text", "data", "value"),
    [
        ("${n.text}", None, "said"),
        ("${n}", None, "said"),
        ("${n.text}", {"count": 2}, "said"),
        ("${n.count}", {"count": 2}, 2),
        ("${n.text}", [{"name": "Soup"}], "said"),
        ("${n[0].name}", [{"name": "Soup"}], "Soup"),
        ("${n.0.name}", [{"name": "Soup"}], "Soup"),
        ("${n}", [1, 2], [1, 2]),
        ("${n.text}", "rain", "said"),
        ("${n}", "rain", "rain"),
        ("${n.text}", 3, "said"),
        ("${n.items}", "rain", []),
    ],
)
def test_the_words_of_a_result_are_found_whatever_its_data_is(text: str, data: Json, value: Json) -> None:
    assert looked_up(text, data) == value


def test_a_list_has_no_names() -> None:
    with pytest.raises(Unresolvable, match=r"\$\{n\} has no 'name'"):
        looked_up("${n.name}", [{"name": "Soup"}])
