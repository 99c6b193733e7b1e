"""GDB/MI read from what gdb 13 really printed, and from text that is not GDB/MI."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.gdb.mi import MiError, parse_line, quoted


def test_a_result_with_nested_values() -> None:
    record = parse_line('7^done,stack=[frame={level="0",func="add"},frame={level="1",func="main"}],n="2"\n')
    assert record is not None
    assert (record.kind, record.name, record.token) == ("result", "done", 7)
    assert record.data == {"stack": [{"level": "0", "func": "add"}, {"level": "1", "func": "main"}], "n": "2"}


def test_a_stop() -> None:
    record = parse_line('*stopped,reason="exited",exit-code="07",groups=["i1","i2"],none={},empty=[]')
    assert record is not None
    assert (record.kind, record.name) == ("exec", "stopped")
    assert record.data["groups"] == ["i1", "i2"]
    assert (record.data["none"], record.data["empty"]) == ({}, [])


def test_streams_and_escapes() -> None:
    record = parse_line(r'~"caf\303\251 \"x\"\tand\\\n"')
    assert record is not None
    assert (record.kind, record.text) == ("console", 'café "x"\tand\\\n')


@pytest.mark.parametrize("line", ["(gdb) \n", "", "  "])
def test_lines_that_say_nothing(line: str) -> None:
    assert parse_line(line) is None


@pytest.mark.parametrize(
    "line", ["total 10", "^", '^done,a="1', "^done,a=", "^done,a={b}", '^done,a="1"b="2"', '^done,a=["1"', "~x"]
)
def test_what_is_not_gdb_mi_is_named(line: str) -> None:
    with pytest.raises(MiError, match=r"GDB/MI|expected"):
        parse_line(line)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_text_comes_back(text: str) -> None:
    line = quoted(text)
    assert "\n" not in line
    record = parse_line(f"~{line}")
    assert record is not None
    assert record.text == text
