from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent.assisted.notation import contract_call, noted
from agent.assisted.prompts import Exchange
from agent.models.base import ToolCall

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True)
FIELDS = st.from_regex(r"[A-Za-z][A-Za-z0-9_.]{0,9}", fullmatch=True)
ENDS = st.tuples(st.just("") | NAMES, NAMES)

CALLS = st.one_of(
    st.builds(
        lambda *fields: ToolCall(
            "create_component", dict(zip(("vendor", "library", "name", "version"), fields, strict=True))
        ),
        *[FIELDS] * 4,
    ),
    st.builds(
        lambda source, target: ToolCall(
            "add_subcomponent_connection",
            {
                "component": "a:b:top:1.0",
                "source_instance": source[0],
                "source_port": source[1],
                "target_instance": target[0],
                "target_port": target[1],
            },
        ),
        ENDS,
        ENDS,
    ),
    st.builds(
        lambda name, width: ToolCall(
            "add_signal_port", {"component": "a:b:c:1.0", "name": name, "direction": "in", "width": width}
        ),
        NAMES,
        NAMES,
    ),
    st.builds(lambda name: ToolCall("delete_component", {"component": f"a:b:{name}:1.0", "force": True}), NAMES),
)


@given(CALLS)
def test_a_call_survives_the_model_s_notation(call: ToolCall) -> None:
    assert contract_call(noted(call)) == call


@given(st.lists(CALLS, max_size=4))
def test_an_exchange_is_read_back_from_its_text(calls: list[ToolCall]) -> None:
    exchange = Exchange("request", tuple(calls))
    assert Exchange.of("request", exchange.answer) == exchange


def test_an_exchange_knows_which_components_it_was_about() -> None:
    fields = {"vendor": "a", "library": "b", "name": "c", "version": "1.0"}
    calls = (ToolCall("create_component", fields), ToolCall("list_components", {}))
    assert Exchange("request", calls).components == ["a:b:c:1.0"]
