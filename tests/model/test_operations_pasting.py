"""Copies of instances: their names, what joins them, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import operations
from model.checks import check_component
from model.elements import Design
from model.errors import DesignError
from model.library import Library
from model.operations.pasting import Clip, copy_instances, paste, pasted_names
from model.vlnv import Vlnv
from model.workspace import Workspace

LEAF, TOP, OTHER = "a:b:leaf:1.0", "a:b:top:1.0", "a:b:other:1.0"


@pytest.fixture
def workspace() -> Workspace:
    made = Workspace()
    for name in ("leaf", "top", "other"):
        made.apply(operations.create_component, vendor="a", library="b", name=name, version="1.0")
    made.apply(operations.add_user_parameter, component=LEAF, name="W", value="8", type="int")
    for name, direction in (("d", "in"), ("q", "out"), ("en", "in")):
        made.apply(operations.add_signal_port, component=LEAF, name=name, direction=direction)
    made.apply(operations.add_signal_port, component=TOP, name="d", direction="in")
    for name in ("u_a", "u_b"):
        made.apply(operations.add_subcomponent, component=TOP, subcomponent=LEAF, instance_name=name)
    made.apply(operations.set_instance_parameter, component=TOP, instance_name="u_a", parameter="W", value="16")
    wires = (("", "d", "u_a", "d"), ("u_a", "q", "u_b", "d"))
    for source, out, target, into in wires:
        made.apply(
            operations.add_subcomponent_connection,
            component=TOP,
            source_instance=source,
            source_port=out,
            target_instance=target,
            target_port=into,
        )
    made.apply(operations.tie_off, component=TOP, instance="u_b", port="en", value="1")
    made.restore(made.library)
    return made


def design(library: Library, component: str) -> Design:
    return library.get(Vlnv.parse(component)).design


def test_copies_bring_what_joins_them_and_nothing_else(workspace: Workspace) -> None:
    clip = copy_instances(design(workspace.library, TOP), ["u_a", "u_b"])
    assert len(clip.connections) == 2  # the wire between them and the tie-off, not the one to the top's own port
    workspace.apply(paste, component=OTHER, clip=clip)
    copied = design(workspace.library, OTHER)
    assert list(copied.instances) == ["u_a", "u_b"]
    assert dict(copied.instances["u_a"].parameters) == {"W": "16"}
    assert {str(end) for each in copied.connections.values() for end in each.ends} == {"u_a.q", "u_b.d", "u_b.en"}
    assert [each.tied_value for each in copied.connections.values() if each.tied_value] == ["1"]
    assert len(workspace.done) == 1


def test_copies_in_the_same_design_get_the_next_names(workspace: Workspace) -> None:
    clip = copy_instances(design(workspace.library, TOP), ["u_a", "u_b"])
    change = workspace.apply(paste, component=TOP, clip=clip)
    inside = design(workspace.library, TOP)
    assert list(inside.instances) == ["u_a", "u_b", "u_a_2", "u_b_2"]
    assert "u_a_2_q_to_u_b_2_d" in inside.connections
    assert {element.kind for element in change.added} == {"subcomponent", "connection"}
    before, after = (
        check_component(library, Vlnv.parse(TOP)) for library in (workspace.done[0].before, workspace.library)
    )
    assert not {finding.code for finding in after} - {finding.code for finding in before}


@pytest.mark.parametrize(
    ("taken", "name", "expected"),
    [
        ("x", "u_a", "u_a"),
        ("u_a", "u_a", "u_a_2"),
        ("u_a u_a_2", "u_a", "u_a_3"),
        ("u_a_2 u_a_3", "u_a_2", "u_a_4"),
        ("cpu0", "cpu0", "cpu1"),
        ("7", "7", "7_2"),
    ],
)
def test_the_next_name(workspace: Workspace, taken: str, name: str, expected: str) -> None:
    made = workspace.library.get(Vlnv.parse(LEAF)).vlnv
    instance = design(workspace.library, TOP).instances["u_a"]
    instances = design(workspace.library, OTHER).instances
    for each in taken.split():
        instances = instances.set(each, instance.model_copy(update={"name": each, "component": made}))
    inside = Design(instances=instances)
    assert pasted_names(inside, Clip((instance.model_copy(update={"name": name}),))) == {name: expected}


@given(st.lists(st.sampled_from(["u", "u_2", "u1", "a9", "9"]), min_size=1, max_size=5, unique=True), st.integers(1, 4))
def test_pasting_again_and_again_never_takes_a_name_twice(names: list[str], times: int) -> None:
    workspace = Workspace()
    for name in ("leaf", "top"):
        workspace.apply(operations.create_component, vendor="a", library="b", name=name, version="1.0")
    legal = [name for name in names if not name[0].isdigit()] or ["u"]
    for name in legal:
        workspace.apply(operations.add_subcomponent, component=TOP, subcomponent=LEAF, instance_name=name)
    clip = copy_instances(design(workspace.library, TOP), legal)
    for _time in range(times):
        workspace.apply(paste, component=TOP, clip=clip)
    assert len(design(workspace.library, TOP).instances) == len(legal) * (times + 1)


def test_a_component_is_not_pasted_into_itself(workspace: Workspace) -> None:
    clip = copy_instances(design(workspace.library, TOP), ["u_a"])
    with pytest.raises(DesignError, match="contain itself"):
        workspace.apply(paste, component=LEAF, clip=clip)
    workspace.apply(operations.delete_component, component=LEAF, force=True)
    with pytest.raises(DesignError, match="no component a:b:leaf"):
        workspace.apply(paste, component=OTHER, clip=clip)
    with pytest.raises(DesignError, match="No instance was copied"):
        workspace.apply(paste, component=OTHER, clip=Clip(()))
