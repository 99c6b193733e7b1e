"""Calls and elements in words."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.call_text import call_words, element_words, parse_element
from model.change import ElementId, ElementKind
from model.vlnv import Vlnv

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.\-]{0,8}", fullmatch=True)
vlnvs = st.builds(Vlnv, names, names, names, names)
kinds = st.sampled_from([kind for kind in get_args(ElementKind) if kind != "component"])


views = st.one_of(st.just(""), names)


@given(st.one_of(st.builds(ElementId, vlnvs, kinds, names, views), st.builds(ElementId, vlnvs, st.just("component"))))
def test_an_element_is_read_back_from_its_text(element: ElementId) -> None:
    assert parse_element(str(element)) == element


@pytest.mark.parametrize("text", ["", "port clk", "signal_port clk of nothing", "component a:b", "gadget x of a:b:c:1"])
def test_what_is_no_element_is_none(text: str) -> None:
    assert parse_element(text) is None


def test_elements_in_words() -> None:
    vlnv = Vlnv.parse("acme:periph:spi:1.2")
    assert element_words(ElementId(vlnv, "subcomponent", "u_spi")) == "instance u_spi"
    assert element_words(ElementId(vlnv, "component")) == "component spi 1.2"


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        (
            "add_subcomponent_connection",
            {"component": "a:b:top:1.0", "source_instance": "u1", "source_port": "q", "target_port": "out"},
            "u1.q → out in top 1.0",
        ),
        (
            "add_subcomponent",
            {"component": "a:b:top:1.0", "subcomponent": "a:b:spi:1.2", "instance_name": "u_spi"},
            "u_spi : spi 1.2 in top 1.0",
        ),
        (
            "add_signal_port",
            {"component": "a:b:c:1.0", "name": "d", "direction": "in", "width": "8"},
            "d[8] in in c 1.0",
        ),
        ("create_component", {"vendor": "a", "library": "b", "name": "c", "version": "1.0"}, "a:b:c:1.0"),
        ("list_components", {"vendor": "acme", "library": ""}, "vendor=acme"),
        ("delete_component", {"component": "a:b:c:1.0", "force": True}, "c 1.0 force=True"),
    ],
)
def test_calls_in_words(tool: str, arguments: dict[str, object], words: str) -> None:
    assert call_words(tool, arguments) == words
