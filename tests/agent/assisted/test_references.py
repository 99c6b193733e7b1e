from __future__ import annotations

import pytest
from small_design import LIBRARY

from agent.assisted.prompts import Exchange
from agent.assisted.references import with_references_written_out
from agent.assisted.vlnv_fields import with_vlnvs_written_out
from agent.models.base import ToolCall

UART, SPI = "acme:io:uart:1.0", "acme:io:spi:1.0"


def create(vlnv: str) -> ToolCall:
    return ToolCall(
        "create_component", dict(zip(("vendor", "library", "name", "version"), vlnv.split(":"), strict=True))
    )


def add(vlnv: str) -> ToolCall:
    return ToolCall("add_signal_port", {"component": vlnv, "name": "clk", "direction": "in"})


EARLIER = [
    Exchange(f"Create {UART}", (create(UART),)),
    Exchange("We need an SPI block too, same vendor", (create(SPI),)),
    Exchange("Both get a clock", (add(SPI), add(UART))),
]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("The first block gets an irq", f"The first block ({UART}) gets an irq"),
        ("and the second one, too", f"and the second one ({SPI}), too"),
        ("Make the new one faster", f"Make the new one ({SPI}) faster"),
        ("Outputs are missing on the latter", f"Outputs are missing on the latter ({UART})"),
    ],
)
def test_what_the_conversation_leaves_no_doubt_about_is_written_out(said: str, read: str) -> None:
    assert with_references_written_out(said, EARLIER) == read


@pytest.mark.parametrize(
    "said",
    [
        "The third block gets an irq",
        "The first port gets an irq",
        "The first one of the ports goes",
        "Put it next to the first one in the top",
        f"{UART} and {SPI}: the latter gets an irq",
        "Add an output irq",
    ],
)
def test_what_may_mean_something_else_stays(said: str) -> None:
    assert with_references_written_out(said, EARLIER) == said


def test_without_a_conversation_nothing_is_meant() -> None:
    assert with_references_written_out("The first block, the latter and the new one", []) == (
        "The first block, the latter and the new one"
    )


def test_the_latter_is_what_was_named_last_even_if_nothing_came_of_it() -> None:
    earlier = [*EARLIER, Exchange(f"The second block ({SPI}) gets that, too", ())]
    assert with_references_written_out("Pins are missing on the latter", earlier).endswith(f"latter ({SPI})")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("acme / periph / uart / 1.0: add an input", "acme:periph:uart:1.0: add an input"),
        ("The acme, periph, uart, version 1.0, gets an input", "The acme:periph:uart:1.0, gets an input"),
        ("acme / periph / can / 1.0: add an input", "acme / periph / can / 1.0: add an input"),
        ("Delete uart 1.0, top stays", "Delete acme:periph:uart:1.0, top stays"),
        ("UART v1.0 needs an input", "acme:periph:uart:1.0 needs an input"),
        ("Make a uart 1.1 with a width of 8", "Make a uart 1.1 with a width of 8"),
        ("acme:periph:uart:1.0, a, b, c, 1.0", "acme:periph:uart:1.0, a, b, c, 1.0"),
    ],
)
def test_a_component_whose_fields_stand_in_their_order_is_written_as_everywhere(said: str, read: str) -> None:
    assert with_vlnvs_written_out(said, LIBRARY) == read
