"""Edits drawn from few names, so that many of them meet each other, and what must hold after any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from model import operations
from model.change import Change, ElementId
from model.checks import check_library
from model.difference import change_between, elements_of
from model.elements import BusInterface, Component, Design, InterfaceMode, PortMap
from model.errors import DesignError
from model.frozen_map import FrozenMap
from model.library import Library
from model.nets import Netlist, netlist
from model.vlnv import Vlnv

VLNVS = ("a:l:leaf:1.0", "a:l:mid:1.0", "a:l:top:1.0", "a:l:TOP:1.0")
PORTS = ("p", "q", "r", "s")
PARAMETERS = ("W", "N", "M")
INSTANCES = ("u", "v")
ENDS = ("", *INSTANCES)
EXPRESSIONS = ("1", "8", "W", "W*N", "N+1", "W/2", "M", "0", "X", "7-W", "W >> 1")
NETS = ("", "net", "wire")

_components = st.sampled_from(VLNVS)
_ports = st.sampled_from(PORTS)
_parameters = st.sampled_from(PARAMETERS)
_expressions = st.sampled_from(EXPRESSIONS)
_interfaces = st.sampled_from(["bus", "out"])


@dataclass(frozen=True)
class Edit:
    """One call of an operation."""

    name: str
    arguments: tuple[tuple[str, Any], ...]

    @property
    def operation(self) -> Callable[..., tuple[Library, Change]]:
        return getattr(operations, self.name)

    def apply(self, library: Library) -> tuple[Library, Change | None]:
        """Apply the edit, or return the same library where it is refused."""
        try:
            return self.operation(library, **dict(self.arguments))
        except DesignError:
            return library, None


def _edit(operation: str, /, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Edit]:
    return st.fixed_dictionaries(arguments).map(lambda drawn: Edit(operation, tuple(drawn.items())))


def _create() -> st.SearchStrategy[Edit]:
    return _components.map(
        lambda vlnv: Edit(
            "create_component", tuple(zip(("vendor", "library", "name", "version"), vlnv.split(":"), strict=True))
        )
    )


def _named() -> st.SearchStrategy[tuple[str, str]]:
    return st.one_of(
        st.tuples(st.sampled_from(["signal_port", "transactional_port"]), _ports),
        st.tuples(st.sampled_from(["user_parameter", "generator_parameter"]), _parameters),
        st.tuples(st.just("subcomponent"), st.sampled_from(INSTANCES)),
        st.tuples(st.just("connection"), st.sampled_from(["net", "wire", "p_to_q", "u_p_to_v_q", "p_to_u_p"])),
        st.tuples(st.just("bus_interface"), _interfaces),
        st.tuples(st.just("interconnection"), st.sampled_from(["net", "u_out_to_v_bus"])),
    )


def _with_element(name: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Edit]:
    return st.tuples(_components, _named(), st.fixed_dictionaries(arguments)).map(
        lambda drawn: Edit(
            name,
            (("component", drawn[0]), ("element_type", drawn[1][0]), ("name", drawn[1][1]), *drawn[2].items()),
        )
    )


_types = st.sampled_from(["string", "string", "int", "bit", "real"])
_parameter_arguments: dict[str, st.SearchStrategy[Any]] = {
    "component": _components,
    "name": _parameters,
    "value": _expressions,
    "type": _types,
    "minimum": st.sampled_from(["", "", "", "1"]),
}

_bits = st.sampled_from(["", "0", "3", "W", "7"])

_ADDITIONS: st.SearchStrategy[Edit] = st.one_of(
    _create(),
    _edit(
        "add_signal_port",
        component=_components,
        name=_ports,
        direction=st.sampled_from(["in", "out", "inout"]),
        width=_expressions,
    ),
    _edit(
        "add_transactional_port",
        component=_components,
        name=_ports,
        initiative=st.sampled_from(["requires", "provides", "both"]),
        bus_width=st.one_of(st.just(""), _expressions),
    ),
    _edit("add_user_parameter", **_parameter_arguments),
    _edit("add_generator_parameter", **_parameter_arguments),
    _edit(
        "add_subcomponent", component=_components, subcomponent=_components, instance_name=st.sampled_from(INSTANCES)
    ),
    _edit(
        "add_subcomponent_connection",
        component=_components,
        source_port=_ports,
        target_port=_ports,
        source_instance=st.sampled_from(ENDS),
        target_instance=st.sampled_from(ENDS),
        name=st.sampled_from(NETS),
    ),
    _edit(
        "connect_slice",
        component=_components,
        source_port=_ports,
        target_port=_ports,
        source_instance=st.sampled_from(ENDS),
        target_instance=st.sampled_from(ENDS),
        source_left=_bits,
        source_right=_bits,
        target_left=_bits,
        target_right=_bits,
        name=st.sampled_from(NETS),
    ),
    _edit(
        "tie_off",
        component=_components,
        port=_ports,
        instance=st.sampled_from(ENDS),
        value=st.sampled_from(["0", "5", "W", "open", "default"]),
        left=_bits,
        right=_bits,
    ),
    _edit("connect_by_name", component=_components, what=st.sampled_from(["clocks", "resets", "equal_names"])),
    _edit(
        "connect_interface",
        component=_components,
        source_interface=_interfaces,
        target_interface=_interfaces,
        source_instance=st.sampled_from(ENDS),
        target_instance=st.sampled_from(ENDS),
        name=st.sampled_from(NETS),
    ),
)

_CHANGES: st.SearchStrategy[Edit] = st.one_of(
    _with_element("delete_element", cascade=st.booleans()),
    _edit("delete_component", component=_components, force=st.booleans()),
    _with_element("rename_element", new_name=st.sampled_from([*PORTS, *PARAMETERS, *INSTANCES, "net"])),
    _edit("rename_component", component=_components, new_component=_components),
    _edit("copy_component", component=_components, new_component=_components),
    _edit(
        "set_instance_parameter",
        component=_components,
        instance_name=st.sampled_from(INSTANCES),
        parameter=_parameters,
        value=st.one_of(st.just(""), _expressions),
    ),
    st.tuples(_components, _ports, st.sampled_from(["in", "out", "inout"]), _expressions).map(
        lambda drawn: Edit(
            "update_element",
            (
                ("component", drawn[0]),
                ("element_type", "signal_port"),
                ("name", drawn[1]),
                ("direction", drawn[2]),
                ("width", drawn[3]),
            ),
        )
    ),
    st.tuples(_components, _parameters, _expressions, _types).map(
        lambda drawn: Edit(
            "update_element",
            (
                ("component", drawn[0]),
                ("element_type", "user_parameter"),
                ("name", drawn[1]),
                ("value", drawn[2]),
                ("type", drawn[3]),
            ),
        )
    ),
)
EDITS: st.SearchStrategy[Edit] = st.one_of(_ADDITIONS, _ADDITIONS, _CHANGES)
"""One edit."""

STARTS: tuple[Edit, ...] = (
    *(
        Edit("create_component", tuple(zip(("vendor", "library", "name", "version"), vlnv.split(":"), strict=True)))
        for vlnv in VLNVS[:3]
    ),
    Edit("add_user_parameter", (("component", VLNVS[0]), ("name", "W"), ("value", "8"), ("type", "int"))),
    *(
        Edit("add_signal_port", (("component", vlnv), ("name", name), ("direction", way), ("width", "8")))
        for vlnv in VLNVS[:2]
        for name, way in (("p", "out"), ("q", "in"), ("r", "inout"))
    ),
    *(
        Edit("add_subcomponent", (("component", VLNVS[2]), ("subcomponent", vlnv), ("instance_name", name)))
        for vlnv, name in zip(VLNVS, INSTANCES, strict=False)
    ),
)
"""Edits that make a small hierarchy, so that drawn edits have something to work on."""

SEQUENCES: st.SearchStrategy[list[Edit]] = st.lists(EDITS, min_size=1, max_size=30)


def started() -> Library:
    """The small hierarchy, with bus interfaces, which only files bring along."""
    library = Library()
    for edit in STARTS:
        library, change = edit.apply(library)
        assert change is not None
    for vlnv in VLNVS[:2]:
        component = library.get(Vlnv.parse(vlnv))
        library = library.put(component.model_copy(update={"bus_interfaces": FrozenMap(map(_interface, MODES))}))
    return library


MODES = (("out", "initiator", "p"), ("bus", "target", "q"))


def _interface(mode: tuple[str, InterfaceMode, str]) -> tuple[str, BusInterface]:
    name, how, port = mode
    rows = (PortMap(logical="D", physical=port), PortMap(logical="IO", physical="r", left="3", right="0"))
    return name, BusInterface(name=name, mode=how, bus_type=Vlnv("a", "l", "bus", "1"), port_maps=rows)


def check_invariants(library: Library) -> None:
    """Fail where a library that was made by operations alone breaks a rule."""
    for vlnv, component in library.components.items():
        assert component.vlnv == vlnv
        _check_keys(component)
    errors = [finding.message for finding in check_library(library) if finding.severity == "error"]
    assert not errors, errors
    for component in library:
        for design in component.designs.values():
            assert partition(netlist(design)) == partition(netlist(made_afresh(design)))


def _check_keys(component: Component) -> None:
    for _element, value in elements_of(component):
        assert getattr(value, "name", None)
    groups: Iterable[Any] = (
        component.ports,
        component.parameters,
        component.design.instances,
        component.design.connections,
        component.design.interconnections,
        component.bus_interfaces,
    )
    for group in groups:
        assert all(name == value.name for name, value in group.items())


def made_afresh(design: Design) -> Design:
    """The design as if it had just been read: nothing about it is known yet."""
    groups = {name: FrozenMap(getattr(design, name).items()) for name in ("instances", "connections")}
    return design.model_copy(update=groups)


def partition(nets: Netlist) -> set[tuple[frozenset[tuple[str, ...]], frozenset[str]]]:
    """A netlist without its numbering."""
    return {(frozenset(wire.nodes), frozenset(wire.connections)) for wire in nets.wires()}


def check_change(before: Library, after: Library, change: Change) -> None:
    """Fail where a change does not say what an edit did."""
    true = change_between(before, after)
    assert set(change.added) == set(true.added)
    assert set(change.removed) == set(true.removed)
    assert set(true.changed) <= set(change.changed), (true.changed, change.changed)
    assert all(isinstance(element, ElementId) for element in change.changed)
    assert all(element.component in after for element in change.changed)
    assert change.summary.endswith(".")
    assert change.summary[0].isupper()
