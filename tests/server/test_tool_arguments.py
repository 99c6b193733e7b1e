from typing import Any

import pytest

from model.errors import DesignError
from server.arguments import MAX_TEXT, contract_of, read_arguments, shown
from server.contract_extended import ALL_TOOLS

PORT = {"component": "a:b:c:1.0", "name": "d", "direction": "in"}


def read(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return read_arguments(contract_of(tool, ALL_TOOLS), arguments)


def refusal(tool: str, arguments: dict[str, Any]) -> DesignError:
    with pytest.raises(DesignError) as caught:
        read(tool, arguments)
    return caught.value


@pytest.mark.parametrize(
    ("given", "text"), [(8, "8"), ("8", "8"), (8.0, "8"), ("DATA_WIDTH/8", "DATA_WIDTH/8"), ("", "1"), (None, "1")]
)
def test_width_is_taken_as_text_and_as_number(given: Any, text: str) -> None:
    assert read("add_signal_port", PORT | {"width": given})["width"] == text


def test_versions_and_values_stay_the_text_they_are() -> None:
    vlnv = {"vendor": "a", "library": "b", "name": "c"}
    assert read("create_component", vlnv | {"version": "1.0"})["version"] == "1.0"
    assert read("create_component", vlnv | {"version": 1.0})["version"] == "1.0"
    assert read("add_user_parameter", {"component": "a:b:c:1", "name": "N", "value": "010"})["value"] == "010"
    assert read("add_user_parameter", {"component": "a:b:c:1", "name": "N", "value": 2.5})["value"] == "2.5"


def test_what_is_left_out_has_the_default_of_the_contract() -> None:
    assert read("add_signal_port", PORT) == PORT | {
        "width": "1",
        "left": "",
        "right": "",
        "default_value": "",
        "description": "",
    }


@pytest.mark.parametrize(
    ("given", "flag"), [(True, True), ("true", True), ("False", False), ("", False), (None, False)]
)
def test_flags(given: Any, flag: bool) -> None:
    assert read("delete_component", {"component": "a:b:c:1.0", "force": given})["force"] is flag


def test_misspelled_argument_is_refused_with_the_legal_name() -> None:
    error = refusal("add_signal_port", PORT | {"widht": "8"})
    assert error.code == "unknown-argument"
    assert "'widht'" in error.message
    assert error.suggestions == ("width",)
    assert "width?" in error.hint


def test_wrong_and_missing_arguments_are_named_at_once() -> None:
    error = refusal("add_signal_port", {"component": "a:b:c:1.0", "port_name": "d"})
    assert error.code == "unknown-argument"
    assert error.suggestions == ("name",)
    assert "direction (in, out or inout)" in error.message


def test_missing_argument_is_named_with_its_format() -> None:
    error = refusal("get_component_details", {"component": None})
    assert error.code == "missing-argument"
    assert "component (vendor:library:name:version)" in error.message


@pytest.mark.parametrize(
    ("given", "suggestion"), [("input", "in"), ("IN", "in"), ("bidirectional", "inout"), ("sideways", None)]
)
def test_unknown_value_is_refused_with_the_legal_ones(given: str, suggestion: str | None) -> None:
    error = refusal("add_signal_port", PORT | {"direction": given})
    assert error.code == "bad-choice"
    assert error.suggestions == ((suggestion,) if suggestion else ())
    assert "in, out, inout" in error.hint


@pytest.mark.parametrize("given", [["8"], {"bits": 8}, True, float("inf"), float("nan")])
def test_wrong_type_is_refused(given: Any) -> None:
    assert refusal("add_signal_port", PORT | {"width": given}).code == "bad-argument"


@pytest.mark.parametrize("given", [1, "yes", ["true"]])
def test_wrong_flag_is_refused(given: Any) -> None:
    assert refusal("delete_component", {"component": "a:b:c:1.0", "force": given}).code == "bad-argument"


@pytest.mark.parametrize("given", [pytest.param("x" * (MAX_TEXT + 1), id="text"), pytest.param(10**5000, id="number")])
def test_too_long_is_refused(given: Any) -> None:
    assert refusal("add_signal_port", PORT | {"width": given}).code == "argument-too-long"


@pytest.mark.parametrize("given", ["a\x00b", "\x1b[31m", "\ud800", "\uffff"])
def test_characters_that_no_file_can_hold_are_refused(given: str) -> None:
    error = refusal("add_signal_port", PORT | {"description": given})
    assert error.code == "illegal-character"
    str(error).encode("utf-8")


def test_unknown_tool_is_refused_with_the_nearest() -> None:
    with pytest.raises(DesignError) as caught:
        contract_of("add_port", ALL_TOOLS)
    assert caught.value.code == "unknown-tool"
    assert "add_signal_port" in caught.value.suggestions


def test_shown_is_one_clean_line() -> None:
    assert shown("a\nb\x00\ud800") == r"'a\nb\x00\ud800'"
    assert len(shown("x" * 1000)) < 70
