"""SystemVerilog constant expressions: values, refusals, references."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.expressions import (
    ExpressionError,
    evaluate,
    is_identifier,
    literal,
    names_in,
    parse,
    rename_names,
    substitute,
)

VALUES = {"W": 32, "N": 5, "HALF": 0.5, "MODE": "fast"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("1_000", 1000),
        ("'h1F", 31),
        ("'H 1f", 31),
        ("8'hFF", 255),
        ("4'hFF", 15),
        ("4'b10_10", 10),
        ("6'o17", 15),
        ("16'sd12", 12),
        ("8'sh80", -128),
        ("5'sb1_0000", -16),
        ("4'sd7", 7),
        ("'sh80", 128),
        ("'shFFFF_FFFF", -1),
        ("'d9", 9),
        ("'0", 0),
        ("1.5", 1.5),
        ("2e3", 2000.0),
        ('"ab"', "ab"),
        (r'"a\"b"', 'a"b'),
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("10-4-3", 3),
        ("2**3**2", 64),
        ("-2**2", 4),
        ("7/2", 3),
        ("-7/2", -3),
        ("7/-2", -3),
        ("-7%3", -1),
        ("7%-3", 1),
        ("2**-1", 0),
        ("(-1)**-3", -1),
        ("7.0/2", 3.5),
        ("1<<4", 16),
        ("256>>>4", 16),
        ("1<<2+1", 8),
        ("3<4==1", 1),
        ("5>=5 && 2!=3", 1),
        ("0||0", 0),
        ("6&3|8^1", 11),
        ("~5", -6),
        ("!5", 0),
        ("^7", 1),
        ("|0", 0),
        ("~|0", 1),
        ("5~^3", -7),
        ("1?2:3", 2),
        ("0?1:0?2:3", 3),
        ("W/8", 4),
        ("W*HALF", 16.0),
        ("$clog2(W)", 5),
        ("$clog2(N)", 3),
        ("$clog2(1)", 0),
        ("$clog2(0)", 0),
        ("$pow(2,10)", 1024.0),
        ('MODE=="fast"', 1),
        ("  W -\t1 ", 31),
    ],
)
def test_values(text: str, value: object) -> None:
    result = evaluate(text, VALUES)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("0x1F", "bad-expression", "'h1F"),
        ("0b101", "bad-expression", "'b101"),
        ("", "bad-expression", "empty"),
        ("1+", "bad-expression", "too early"),
        ("a b", "bad-expression", "'b' at character 3"),
        ("(1", "bad-expression", "')' is missing"),
        ("a.b", "bad-expression", "'.' at character 2"),
        ("1 ? 2", "bad-expression", "':' is missing"),
        ("$clog2", "bad-expression", "'(' is missing"),
        ("(" * 100 + "1" + ")" * 100, "bad-expression", "levels deep"),
        ("+".join("1" * 1000), "bad-expression", "parts"),
        ("1" * 5000, "bad-expression", "longer"),
        ("1/0", "no-value", "divides by zero"),
        ("1%0", "no-value", "divides by zero"),
        ("1.0/0", "no-value", "divides by zero"),
        ("0**-1", "no-value", "divides by zero"),
        ("9**9**9**9**9", "no-value", "too large"),
        ("1<<99999999", "no-value", "too large"),
        ("1<<-1", "no-value", "negative"),
        ("2.0**5000", "no-value", "too large"),
        ("(0-2.0)**0.5", "no-value", "root of a negative"),
        ("1.5%2", "no-value", "whole numbers"),
        ("'bz", "no-value", "x or z"),
        ("'1", "no-value", "how many bits"),
        ("1'bx+1", "no-value", "x or z"),
        ("MODE+1", "no-value", "'fast' is not a number"),
        ("$frob(1)", "no-value", "$clog2"),
        ("$clog2(1,2)", "no-value", "takes 1 argument"),
        ("$clog2(-1)", "no-value", "negative"),
        ("$sqrt(-1)", "no-value", "not defined"),
        ("{1,2}", "no-value", "concatenation"),
        ("&W", "no-value", "width is not known"),
        ("WW", "unknown-parameter", "Did you mean W"),
    ],
)
def test_refusals(text: str, code: str, said: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, VALUES)
    assert caught.value.code == code
    assert said in str(caught.value)


def test_names_are_those_of_parameters_only() -> None:
    assert names_in("$clog2(DEPTH)*W + 'hFF + uuid_1a ? \"X\" : {A, '{B}}") == {"DEPTH", "W", "uuid_1a", "A", "B"}


def test_identifiers() -> None:
    assert is_identifier("uuid_1a$")
    assert not is_identifier("a-b")
    assert not is_identifier("1a")


def test_rename_keeps_everything_else() -> None:
    assert rename_names(" W *WIDTH+\tW ", {"W": "DATA_W"}) == " DATA_W *WIDTH+\tDATA_W "


def test_rename_does_not_touch_longer_names_or_text() -> None:
    assert rename_names('W + W2 + $W(1) + "W"', {"W": "X"}) == 'X + W2 + $W(1) + "W"'


def test_substitute_brackets_where_needed() -> None:
    assert substitute("A*2+B", {"A": "X+1", "B": "3"}) == "(X+1)*2+3"
    assert substitute("A", {"A": "X+1"}) == "X+1"
    assert substitute("A-1", {"A": "-4"}) == "(-4)-1"


whole = st.integers(-50, 50)
operators = st.sampled_from(
    ["+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||"]
)


def trees(depth: int) -> st.SearchStrategy[str]:
    """Expressions with every sub-expression in brackets."""
    leaf = st.one_of(st.integers(0, 50).map(str), st.sampled_from(["W", "N"]))
    if not depth:
        return leaf
    below = trees(depth - 1)
    return st.one_of(
        leaf,
        st.builds(lambda a, op, b: f"({a}){op}({b})", below, operators, below),
        st.builds(lambda a, b, c: f"({a})?({b}):({c})", below, below, below),
        st.builds(lambda op, a: f"{op}({a})", st.sampled_from(["-", "+", "~", "!"]), below),
    )


def value_or_code(text: str, values: dict[str, int]) -> object:
    try:
        return evaluate(text, values)
    except ExpressionError as problem:
        return problem.code


@given(trees(4))
def test_substituting_values_for_names_keeps_the_value(text: str) -> None:
    values = {"W": -32, "N": 5}
    replaced = substitute(text, {name: literal(value) for name, value in values.items()})
    assert not names_in(replaced)
    assert value_or_code(replaced, {}) == value_or_code(text, values)


@given(trees(4))
def test_renaming_there_and_back_is_the_same_text(text: str) -> None:
    there = rename_names(text, {"W": "Other"})
    assert "W" not in names_in(there)
    assert rename_names(there, {"Other": "W"}) == text


@given(whole, whole)
def test_division_and_remainder_belong_together(a: int, b: int) -> None:
    """IEEE 1800-2017, clause 11.4.3: the quotient truncates, the remainder takes the sign of the first operand."""
    if b == 0:
        assert value_or_code(f"({a})/({b})", {}) == "no-value"
        return
    quotient, remainder = evaluate(f"({a})/({b})", {}), evaluate(f"({a})%({b})", {})
    assert isinstance(quotient, int)
    assert isinstance(remainder, int)
    assert quotient * b + remainder == a
    assert abs(remainder) < abs(b)
    assert remainder == 0 or (remainder < 0) == (a < 0)


@given(st.text(alphabet="W1+-*/()?:'hx \"$,{}<&.", max_size=12))
def test_any_text_has_a_value_or_a_coded_refusal(text: str) -> None:
    result = value_or_code(text, {"W": 3, "x": 2})
    if isinstance(result, str) and result in {"bad-expression", "no-value", "unknown-parameter"}:
        return
    assert parse(text).text == text
    assert value_or_code(f"({text})", {"W": 3, "x": 2}) == result


@given(st.integers(0, 1 << 70))
def test_clog2_is_the_number_of_bits_that_tell_so_many_apart(value: int) -> None:
    bits = evaluate(f"$clog2({value})", {})
    assert isinstance(bits, int)
    assert 2**bits >= value
    assert bits == 0 or 2 ** (bits - 1) < value
