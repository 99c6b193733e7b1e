from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.prose import put_right


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Ad teh inptu en", "Ad the input en"),
        ("transacshunal prot m0 (requirs)", "transactional prot m0 (requires)"),
        ("Instanshiate it and konnect clk", "Instantiate it and connect clk"),
        ("two outpust of 4 btis", "two outputs of 4 bits"),
        ("Paremter DEPTH, vlaue 8.", "Parameter DEPTH, value 8."),
    ],
)
def test_slips_in_prose_are_put_right(written: str, meant: str) -> None:
    assert put_right(written) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Add rdata, wdata, raddr, porta and portb, all in",
        "outputs dout, doutb, din, sck, mosi and irq",
        "the config interface, a jitter filter and the weather sensor",
        "Call it wrtie, or `inptu`, or outptu.inptu, or kestrel:inptu:outptu:1.0",
        "a parameter named vlaue",
    ],
)
def test_names_and_english_are_left_alone(text: str) -> None:
    assert put_right(text) == text


def test_names_of_the_design_are_left_alone() -> None:
    assert put_right("wire inptu", {"INPTU"}) == "wire inptu"


@given(st.text(max_size=80))
def test_putting_right_ends_and_keeps_every_line(text: str) -> None:
    assert len(put_right(text).split("\n")) == len(text.split("\n"))


@given(st.from_regex(r"[A-Za-z]{1,6}[0-9_][A-Za-z0-9_]{0,6}", fullmatch=True))
def test_a_word_with_a_digit_or_underscore_is_never_touched(name: str) -> None:
    assert put_right(f"teh {name}") == f"the {name}"
