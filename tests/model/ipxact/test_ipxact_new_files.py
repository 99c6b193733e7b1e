"""Components that have no file yet: valid IP-XACT 2022 that reads back as the same value."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ipxact_files import assert_valid, comparable
from lxml import etree

from model.elements import (
    BusInterface,
    Component,
    Connection,
    Design,
    Dimension,
    Endpoint,
    Instance,
    Interconnection,
    InterfaceEnd,
    Parameter,
    Payload,
    Port,
    PortMap,
    SignalPort,
    StructuredPort,
    TransactionalPort,
)
from model.frozen_map import FrozenMap
from model.ipxact.document import NAMESPACE_2022
from model.library import Library
from model.storage import open_workspace, save_component
from model.vlnv import Vlnv
from model.workspace import Workspace

TOP = Vlnv("acme.example", "new-lib", "top_1", "1.0-rc1")
PART = Vlnv("acme.example", "new-lib", "part", "2")

texts = st.text(
    st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff", include_characters="\t\n\r"),
    max_size=20,
).map(str.strip)
words = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.-]{0,6}", fullmatch=True)
port_names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:-]{0,6}", fullmatch=True)
parameter_names = st.from_regex(r"[A-Z_][A-Z0-9_]{0,5}", fullmatch=True)
numbers = st.integers(0, 64).map(str)


def expressions(names: list[str]) -> st.SearchStrategy[str]:
    if not names:
        return numbers
    name = st.sampled_from(names)
    return st.one_of(numbers, name, st.builds("{}-1".format, name), st.builds("$clog2({0}) * 'h1F + {0}".format, name))


def maps(names: st.SearchStrategy[str], values: st.SearchStrategy[object], size: int = 4) -> st.SearchStrategy[object]:
    pairs = st.lists(st.tuples(names, values), max_size=size, unique_by=lambda pair: pair[0])
    return pairs.map(lambda found: FrozenMap((name, value.model_copy(update={"name": name})) for name, value in found))


def dimensions(values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[Dimension, ...]]:
    each = st.builds(Dimension, left=values, right=values)
    return st.one_of(st.just(()), st.lists(each, max_size=2).map(tuple))


@st.composite
def parameters(draw: st.DrawFn) -> FrozenMap[str, Parameter]:
    found: dict[str, Parameter] = {}
    for name in draw(st.lists(parameter_names, max_size=4, unique=True)):
        found[name] = Parameter(
            name=name,
            kind=draw(st.sampled_from(["user", "generated", "immediate"])),
            value=draw(expressions(list(found))),
            type=draw(st.sampled_from(["bit", "byte", "shortint", "int", "longint", "shortreal", "real", "string"])),
            minimum=draw(st.sampled_from(["", "0"])),
            maximum=draw(st.sampled_from(["", "64"])),
            description=draw(texts),
            sign=draw(st.sampled_from(["", "", "signed", "unsigned"])),
            vectors=draw(dimensions(numbers)),
            arrays=draw(dimensions(numbers)),
        )
    return FrozenMap(found)


def signals(values: st.SearchStrategy[str]) -> st.SearchStrategy[Port]:
    bounds = st.one_of(st.just(("", "")), st.tuples(values, values))
    return st.builds(
        lambda direction, bound, default, description, vectors, arrays: SignalPort(
            name="p",
            direction=direction,
            left=bound[0],
            right=bound[1],
            default_value="" if direction == "out" else default,
            description=description,
            vectors=vectors if bound[0] else (),
            arrays=arrays,
        ),
        st.sampled_from(["in", "out", "inout", "phantom"]),
        bounds,
        st.one_of(st.just(""), values),
        texts,
        dimensions(values),
        dimensions(values),
    )


def transactionals(values: st.SearchStrategy[str]) -> st.SearchStrategy[Port]:
    return st.builds(
        TransactionalPort,
        name=st.just("p"),
        initiative=st.sampled_from(["requires", "provides", "both", "phantom"]),
        kind=st.sampled_from(["", "tlm_port", "tlm_socket", "simple_socket", "multi_socket", "custom"]),
        protocol=st.one_of(st.sampled_from(["", "tlm"]), words),
        bus_width=st.one_of(st.just(""), values),
        description=texts,
        payload=st.one_of(
            st.none(),
            st.builds(
                Payload,
                name=words,
                type=st.sampled_from(["generic", "specific"]),
                extension=st.one_of(st.just(""), words),
            ),
        ),
        least=st.one_of(st.just(""), values),
        most=st.one_of(st.just(""), values),
        arrays=dimensions(values),
    ).map(_whole_transactional)


def _whole_transactional(port: TransactionalPort) -> TransactionalPort:
    """A payload stands in a protocol only, and a kind has a name of its own only where it is custom."""
    new = {"payload": port.payload if port.protocol else None, "custom_kind": "k" if port.kind == "custom" else ""}
    return port.model_copy(update=new)


def structureds(values: st.SearchStrategy[str], deeper: bool = True) -> st.SearchStrategy[Port]:
    inner = st.one_of(signals(values), structureds(values, False)) if deeper else signals(values)
    return st.builds(
        StructuredPort,
        name=st.just("p"),
        form=st.sampled_from(["struct", "union", "interface"]),
        direction=st.sampled_from(["in", "out", "inout", "phantom"]),
        type_name=words,
        sub_ports=maps(port_names, inner, 2).filter(bool),
        vectors=dimensions(values),
        arrays=dimensions(values),
        description=texts,
    ).map(lambda port: port.model_copy(update={"direction": "phantom"}) if port.form == "interface" else port)


@st.composite
def components(draw: st.DrawFn, vlnv: Vlnv) -> Component:
    own = draw(parameters())
    values = expressions(list(own))
    ports = draw(maps(port_names, st.one_of(signals(values), transactionals(values), structureds(values)), 5))
    interfaces = FrozenMap()
    if ports:
        parts = st.one_of(st.just(("", "")), st.tuples(values, values))
        mapped = st.builds(
            lambda logical, physical, part, other: PortMap(
                logical=logical,
                physical=physical,
                left=part[0],
                right=part[1],
                logical_left=other[0],
                logical_right=other[1],
            ),
            words,
            st.sampled_from(list(ports)),
            parts,
            parts,
        )
        rows = st.one_of(mapped, st.builds(PortMap, logical=words, physical=st.just(""), tie_off=numbers))
        interface = st.builds(
            BusInterface,
            name=st.just("i"),
            mode=st.sampled_from(["initiator", "target", "system", "mirroredSystem", "mirroredTarget", "monitor"]),
            bus_type=st.just(Vlnv("acme.example", "bus", "b", "1")),
            port_maps=st.lists(rows, max_size=3, unique_by=lambda row: (row.logical, row.physical)).map(tuple),
            description=texts,
        )
        interfaces = draw(maps(words, interface, 2))
    return Component(vlnv=vlnv, description=draw(texts), ports=ports, parameters=own, bus_interfaces=interfaces)


@st.composite
def designs(draw: st.DrawFn, own: FrozenMap[str, Parameter], part: Component) -> Design:
    values = expressions(list(own))
    overrides = st.dictionaries(st.sampled_from(list(part.parameters)), values) if part.parameters else st.just({})
    instance = st.builds(
        Instance, name=st.just("u"), component=st.just(PART), parameters=overrides.map(FrozenMap), description=texts
    )
    instances = draw(maps(words, instance, 3))
    names = [*instances, ""]
    end = st.builds(Endpoint, instance=st.sampled_from(names), port=port_names)
    steps = st.lists(st.one_of(values, words.map(lambda name: f".{name}")), max_size=3).map(tuple)
    sliced = st.builds(
        Endpoint, instance=st.sampled_from(names), port=port_names, left=values, right=values, path=steps
    )
    joined = st.lists(st.one_of(end, sliced), min_size=2, max_size=4, unique=True).map(tuple)
    connection = st.one_of(
        st.builds(Connection, name=st.just("c"), ends=joined, description=texts),
        st.builds(
            Connection,
            name=st.just("c"),
            ends=end.map(lambda only: (only,)),
            tied_value=st.one_of(values, st.sampled_from(["open", "default"])),
        ),
    )
    interconnections: FrozenMap[str, Interconnection] = FrozenMap()
    if instances:
        active = st.builds(InterfaceEnd, instance=st.sampled_from(list(instances)), interface=words)
        ends = st.tuples(active, st.builds(InterfaceEnd, instance=st.sampled_from(names), interface=words))
        joint = st.builds(Interconnection, name=st.just("i"), ends=ends, description=texts)
        watched = st.builds(
            Interconnection,
            name=st.just("i"),
            ends=st.lists(active, min_size=1, max_size=2, unique=True).map(tuple),
            monitored=active,
            description=texts,
        )
        interconnections = draw(maps(words, st.one_of(joint, watched), 3))
    return Design(
        instances=instances,
        connections=draw(maps(port_names, connection, 4)),
        interconnections=interconnections,
        description=draw(texts),
    )


@st.composite
def libraries(draw: st.DrawFn) -> tuple[Component, Component]:
    part = draw(components(PART))
    top = draw(components(TOP))
    views = draw(st.lists(words, max_size=2, unique=True))
    return part, top.model_copy(
        update={"designs": FrozenMap((view, draw(designs(top.parameters, part))) for view in views)}
    )


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(libraries())
def test_saved_is_valid_and_loads_as_the_same_value(pair: tuple[Component, Component]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder), Library.of(pair))
        for component in pair:
            for path in save_component(workspace, str(component.vlnv)).paths:
                assert_valid(path.read_bytes())
        assert not workspace.unsaved()
        opened = open_workspace(Path(folder))
        assert [finding.code for finding in opened.findings] == []
        for component in pair:
            assert comparable(opened.workspace.library.get(component.vlnv)) == comparable(component)


def test_form_that_other_tools_insist_on(tmp_path: Path) -> None:
    parameter = Parameter(name="W", kind="user", value="8", type="int")
    port = SignalPort(name="d", direction="in", left="W-1", right="0")
    component = Component(vlnv=TOP, ports=FrozenMap({"d": port}), parameters=FrozenMap({"W": parameter}))
    contents = []
    for name in ("one", "two"):
        workspace = Workspace(tmp_path / name, Library.of([component]))
        (path,) = save_component(workspace, str(TOP)).paths
        assert path == tmp_path / name / "acme.example/new-lib/top_1/1.0-rc1/top_1.1.0-rc1.xml"
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    root = etree.fromstring(contents[0])
    assert root.prefix == "ipxact"
    assert [etree.QName(child).localname for child in root][:4] == ["vendor", "library", "name", "version"]
    space = {"ipxact": NAMESPACE_2022}
    (view,) = root.findall("ipxact:model/ipxact:views/ipxact:view", space)
    assert view.findtext("ipxact:componentInstantiationRef", namespaces=space)
    identifier = root.find("ipxact:parameters/ipxact:parameter", space).get("parameterId")
    assert identifier.startswith("uuid_")
    assert root.findtext(".//ipxact:left", namespaces=space) == f"{identifier}-1"
