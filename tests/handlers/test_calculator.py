"""Exact, bounded, and able to read a whole question in both languages."""

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.handlers.calculator import calculate
from pegboard.handlers.calculator.arithmetic import CannotCalculate, NotArithmetic, evaluate
from pegboard.text import language


@pytest.mark.parametrize(
    ("question", "text", "value"),
    [
        ("what is 15% of 80?", "15% of 80 = 12", 12),
        ("80 + 15%", "80 + 15% = 92", 92),
        ("20% off $80", "80 - 20% = 64", 64),
        ("what percent of 80 is 12?", "12 / 80 = 15%", 15),
        ("0.1+0.2", "0.1+0.2 = 0.3", 0.3),
        ("-3**2", "-3^2 = -9", -9),
        ("(1+2)(3+4)", "(1+2)(3+4) = 21", 21),
        ("17 % 5", "17 % 5 = 2", 2),
        ("7 // 2", "7 // 2 = 3", 3),
        ("12 divided by 7", "12 / 7 ≈ 1.714285714", 12 / 7),
        ("what is twenty five times four", "25 × 4 = 100", 100),
        ("square root of 16", "sqrt(16) = 4", 4),
        ("1,250 / 4", "1250 / 4 = 312.5", 312.5),
        ("split $84.60 between 4 people", "84.60 / 4 = 21.15", 21.15),
        ("2^10", "2^10 = 1,024", 1024),
        ("3加5乘以2等于几", "3 + 5 × 2 = 13", 13),
        ("一百二十减三十五", "120 - 35 = 85", 85),
        ("80的百分之十五是多少", "80 × 15% = 12", 12),
        ("299打八折", "299 × 0.8 = 239.2", 239.2),
        ("16的平方根", "sqrt(16) = 4", 4),
        ("how many grams are 2 ounces", "2 oz ≈ 56.7 g", 56.69904625),
        ("350 F in celsius", "350 °F ≈ 176.67 °C", 1590 / 9),
        ("180 c to f", "180 °C = 356 °F", 356),
        ("1 1/2 cups to tbsp", "1.5 cups = 24 tbsp", 24),
        ("½ cup in ml", "0.5 cups ≈ 118.29 ml", 118.29411825),
        ("2 cups of flour in grams", "2 cups = 250 g (a cup of flour weighs about 125 g)", 250),
        ("convert 5 miles to km", "5 miles ≈ 8.05 km", 8.04672),
        ("how many inches is 1 m", "1 m ≈ 39.37 in", 5000 / 127),
        ("350华氏度是多少摄氏度", "350 华氏度 ≈ 176.67 摄氏度", 1590 / 9),
        ("6盎司等于多少克？", "6 盎司 ≈ 170.1 克", 170.09713875),
        ("三分之一杯是多少毫升", "1/3 杯 = 80 毫升", 80),
        ("一斤是多少克", "1 斤 = 500 克", 500),
    ],
)
def test_a_question_is_worked_out(question: str, text: str, value: float) -> None:
    result = calculate(question, language(question))
    assert isinstance(result.data, dict)
    assert (result.text, result.task) == (text, "")
    assert result.data["value"] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("10**10**10", "That number would be too large to work out here."),
        ("9**9**9**9", "That number would be too large to work out here."),
        ("1/0", "That divides by zero, so it has no result."),
        ("5 % (2-2)", "That divides by zero, so it has no result."),
        ("0**-1", "That divides by zero, so it has no result."),
        ("(-8)**(1/3)", "That has no result among the real numbers."),
        ("(" * 5000, "That expression is too long to work out here."),
        ("10除以0", "除数是零，没有结果。"),
        ("2 litres in metres", "l and m measure different things, so one cannot be converted into the other."),
        ("2 cups in kg", "That depends on what is measured: a cup of flour weighs less than a cup of honey. Of what?"),
    ],
)
def test_what_has_no_result_is_said_plainly(question: str, text: str) -> None:
    assert calculate(question, language(question)).text == text


@pytest.mark.parametrize("text", ["hello", "", "If I have 3 apples and buy 5 more", "__import__('os')", "1 +", "a*b"])
def test_what_is_no_calculation_is_no_error(text: str) -> None:
    assert calculate(text, "en").status == "needs_clarification"


@pytest.mark.parametrize("text", ["2**4095 * 2**4095", "1e99 ** 99", "(" * 60 + "1" + ")" * 60, "- " * 60 + "1"])
def test_growth_and_depth_are_bounded(text: str) -> None:
    with pytest.raises(CannotCalculate):
        evaluate(text)


numbers = st.integers(0, 10**6).map(str)
expressions = st.recursive(
    numbers,
    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda parts: f"({' '.join(parts)})"),
    max_leaves=8,
)


@given(expressions)
def test_sums_and_products_are_those_of_python(expression: str) -> None:
    expected = eval(expression, {})
    assert evaluate(expression).amount == expected


@given(st.text(max_size=60))
def test_any_text_is_a_number_or_one_of_two_errors(text: str) -> None:
    with contextlib.suppress(NotArithmetic, CannotCalculate):
        assert isinstance(evaluate(text).amount, Fraction)


@given(st.text(alphabet="0123456789.+-*/%() ofsqrt百分之一二三十加减乘除以的杯克cupgozml度", max_size=40))
def test_any_question_gets_an_answer(question: str) -> None:
    assert calculate(question, "zh").text
