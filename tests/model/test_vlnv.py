"""VLNVs, and the names that IP-XACT allows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from model.errors import DesignError
from model.vlnv import Vlnv, is_nmtoken, is_port_name, is_xml_name


def test_parse_and_write() -> None:
    vlnv = Vlnv.parse(" acme:soc:8051:1.0-rc1 ")
    assert vlnv == Vlnv("acme", "soc", "8051", "1.0-rc1")
    assert str(vlnv) == "acme:soc:8051:1.0-rc1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1 of 4"),
        ("acme:soc:core", "3 of 4"),
        ("acme:soc:core:1.0:x", "5 of 4"),
        ("acme:soc::1.0", "name is empty"),
        ("acme:soc:core:", "version is empty"),
        (":soc:core:1.0", "vendor is empty"),
        ("-acme:soc:core:1.0", "'-acme' is not a legal vendor"),
        ("acme:9soc:core:1.0", "'9soc' is not a legal library"),
        ("acme:soc:the core:1.0", "'the core' is not a legal name"),
        ("acme:soc:core:1.0+1", "'1.0+1' is not a legal version"),
        ("acme:soc:../core:1.0", "'../core' is not a legal name"),
    ],
)
def test_refused(text: str, said: str) -> None:
    with pytest.raises(DesignError) as caught:
        Vlnv.parse(text)
    assert caught.value.code == "bad-vlnv"
    assert said in str(caught.value)
    assert caught.value.hint


@given(st.text(max_size=6))
def test_names_are_those_that_an_xml_parser_takes(text: str) -> None:
    def is_element_name(name: str) -> bool:
        try:
            etree.fromstring(f"<{name}/>".encode(errors="surrogatepass"))
        except (etree.XMLSyntaxError, ValueError):
            return False
        return name == name.strip() and not set(name) & set("/ \t\r\n")

    assert is_xml_name(text) == (":" not in text and is_element_name(text))
    assert is_nmtoken(text) == (":" not in text and bool(text) and is_element_name("a" + text))


@pytest.mark.parametrize("name", ["a", "a.b", "a-b", "a:b", ":a", "_a", "é", "日本"])
def test_port_names_may_hold_dots_dashes_and_colons(name: str) -> None:
    assert is_port_name(name)


@pytest.mark.parametrize("name", ["", "1a", "-a", ".a", "a b", "a[0]", "a\n", "a/b"])
def test_illegal_port_names(name: str) -> None:
    assert not is_port_name(name)
