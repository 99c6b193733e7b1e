from __future__ import annotations

import json

import jsonschema
import pytest
from small_design import LIBRARY, SPECS, TOP, UART

from agent.assisted.mentions import Mentions
from agent.assisted.schema import answer_schema


def accepts(
    request: str, *calls: dict[str, object], may_refuse: bool = True, least_calls: int = 0, **more: object
) -> bool:
    mentions = Mentions.of(request)
    schema = answer_schema(SPECS, LIBRARY, [TOP, UART], mentions, may_refuse=may_refuse, least_calls=least_calls)
    json.dumps(schema)
    try:
        jsonschema.validate({"calls": list(calls)} | more, schema)
    except jsonschema.ValidationError:
        return False
    return True


def port(component: str) -> dict[str, object]:
    return {"tool": "add_signal_port", "component": component, "name": "rx", "direction": "in"}


def wire(source: str, target: str) -> dict[str, object]:
    return {
        "tool": "add_subcomponent_connection",
        "component": "acme:soc:top:1.0",
        "source": source,
        "target": target,
    }


def creation(component: str) -> dict[str, object]:
    return {"tool": "create_component", "component": component}


def test_components_that_exist_or_are_written_out_may_be_named() -> None:
    request = "Make acme:periph:can:1.0 and give it an input"
    assert accepts(request, port("acme:periph:uart:1.0"))
    assert accepts(request, port("acme:periph:can:1.0"))
    assert not accepts(request, port("acme:periph:spi:1.0"))


def test_a_component_whose_fields_stand_apart_may_be_named() -> None:
    request = "A new block can_fd, version 0.1 (vendor acme, library periph) with an input rx"
    assert accepts(request, creation("acme:periph:can_fd:0.1"), port("acme:periph:can_fd:0.1"))
    assert not accepts(request, port("acme:periph:can_hd:0.1"))


def test_labelled_fields_and_the_same_ones_leave_no_choice() -> None:
    request = "A new block: vendor kestrel, library uncore, name apb_split, version 1.0"
    assert accepts(request, creation("kestrel:uncore:apb_split:1.0"))
    assert not accepts(request, creation("uncore:apb_split:apb_split:1.0"))
    assert not accepts(request, creation("acme:uncore:apb_split:1.0"))
    request = "We need a new SPI block: same vendor, same library, same version; the name is spi_lite"
    assert accepts(request, creation("acme:soc:spi_lite:1.0"))  # as the component that is meant most
    assert not accepts(request, creation("acme:periph:spi_lite:1.0"))


def test_a_version_may_end_in_a_word() -> None:
    request = "A new block: vendor acme, library bus, name apb_split, version 1.0-rc1, a 32-bit one"
    assert accepts(request, creation("acme:bus:apb_split:1.0-rc1"))
    assert not accepts(request, creation("acme:bus:apb_split:1.0"))
    assert not accepts(request, creation("acme:bus:apb_split:32-bit"))


def test_the_fields_of_a_component_may_be_listed_in_their_order() -> None:
    request = "I need an I2C slave - oakridge, serial, i2c_slave, version 2.0b. Its lines scl, sda, en, 4 bits"
    assert accepts(request, creation("oakridge:serial:i2c_slave:2.0b"))
    assert not accepts(request, creation("oakridge:periph:i2c_slave:2.0b"))
    assert not accepts("Lines scl, sda, en and ack of acme:periph:uart:1.0", creation("scl:sda:en:4"))
    request = "A new one: vendor lumen-av, lib io, led_pwm, v0.4"
    assert accepts(request, creation("lumen-av:io:led_pwm:v0.4"))
    assert not accepts(request, creation("lumen-av:periph:led_pwm:v0.4"))


def test_a_request_about_what_exists_makes_no_component() -> None:
    assert not accepts("Add scan_en to acme:periph:uart:1.0", port("acme:periph:scan_en:1.0"))
    assert not accepts("Add scan_en to acme:periph:uart:1.0", creation("acme:periph:scan_en:1.0"))


def test_a_written_out_component_is_created_as_it_is_written() -> None:
    request = "Create acme.com:periph:rtc:1.0"
    assert accepts(request, creation("acme.com:periph:rtc:1.0"))
    assert not accepts(request, creation("acme:periph:rtc:1.0"))


@pytest.mark.parametrize("end", ["clk", "u_uart.clk", "u_new.clk"])
def test_ends_are_ports_that_exist_or_may_come_to_be(end: str) -> None:
    assert accepts("Add another UART u_new and wire tx", wire(end, "u_uart.tx"))


def test_an_end_that_nobody_knows_is_not_possible() -> None:
    assert not accepts("Wire the UART", wire("clk", "u_can.clk"))


def test_a_correction_has_calls_and_no_refusal() -> None:
    assert accepts("Wire the UART", refusal="No.")
    assert not accepts("Wire the UART", may_refuse=False, least_calls=1)
    assert not accepts("Wire the UART", wire("clk", "u_uart.clk"), may_refuse=False, refusal="No.")


def test_what_is_new_inside_a_component_makes_none() -> None:
    for request in ("acme:soc:top:1.0 gets a new instance u_two", "A new 8-bit input BUILD_ID on acme:periph:uart:1.0"):
        assert not accepts(request, creation("acme:soc:instance:1.0"))
        assert not accepts(request, creation("acme:soc:BUILD_ID:1.0"))
    assert accepts("Derive a new one from acme:periph:uart:1.0, named can_fd", creation("acme:periph:can_fd:1.0"))


def test_an_instance_alone_is_no_end_and_a_port_that_is_being_made_is_one() -> None:
    request = "Put acme:periph:uart:1.0 into acme:soc:top:1.0 as u_two; an input data goes to its rx, clk to its clk"
    assert not accepts(request, wire("clk", "u_two"))
    assert accepts(request, wire("clk", "u_two.clk"))
    assert accepts(request, wire("data", "u_two.clk"))
    assert not accepts(request, wire("clk", "u_two.clk") | {"component": "acme:periph:uart:1.0"})
