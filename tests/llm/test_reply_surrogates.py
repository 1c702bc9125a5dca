from pegboard.llm.reply import read_json


def test_half_a_character_is_replaced() -> None:
    assert read_json('{"score": 95, "query": "a\\ud800b"}').value == {"score": 95, "query": "a?b"}
