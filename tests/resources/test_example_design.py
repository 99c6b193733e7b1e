"""The example design as the model reads it: complete, without contention, and with the spare parts it promises."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from model.elements import BusInterface, Component, Endpoint, InterfaceEnd, SignalPort
from model.ends import Ends
from model.library import Library
from model.nets import contentions, netlist, nets_of
from model.storage import Opened, open_workspace
from model.vlnv import Vlnv
from model.widths import port_width

EXAMPLE = Path(str(files("resources"))) / "examples" / "tiny_soc"


def vlnv(library: str, name: str) -> Vlnv:
    return Vlnv("blockwright.org", library, name, "1.0")


TOP = vlnv("soc", "tiny_soc")
SUBSYSTEM = vlnv("soc", "periph_ss")


@pytest.fixture(scope="module")
def opened() -> Opened:
    return open_workspace(EXAMPLE)


@pytest.fixture(scope="module")
def library(opened: Opened) -> Library:
    return opened.workspace.library


def interface_at(ends: Ends, end: InterfaceEnd) -> tuple[Component, BusInterface]:
    owner = ends.component if not end.instance else ends.library.get(ends.design.instances[end.instance].component)
    return owner, owner.bus_interfaces[end.interface]


def joined_by_interfaces(ends: Ends) -> Iterator[tuple[str, Endpoint]]:
    """Each physical port that an interconnection joins, with its interconnection and logical name."""
    for joint in ends.design.interconnections.values():
        for end in joint.ends:
            for row in interface_at(ends, end)[1].port_maps:
                yield f"{joint.name} {row.logical}", Endpoint(instance=end.instance, port=row.physical)


def test_it_opens_without_findings(opened: Opened, library: Library) -> None:
    assert opened.findings == ()
    assert len(library) == 14
    assert {instance.component for instance in library.get(TOP).design.instances.values()} >= {SUBSYSTEM}


@pytest.mark.parametrize("name", [TOP, SUBSYSTEM], ids=str)
def test_every_input_is_driven_and_every_output_of_the_component_too(library: Library, name: Vlnv) -> None:
    component = library.get(name)
    ends = Ends(library, component, component.design)
    reached = {(end.instance, end.port) for net in nets_of(library, component) for end in net.ends}
    reached |= {(end.instance, end.port) for _name, end in joined_by_interfaces(ends)}
    open_ends = [
        (instance.name, port.name)
        for instance in component.design.instances.values()
        for port in library.get(instance.component).ports.values()
        if isinstance(port, SignalPort) and port.direction == "in" and not port.default_value
    ]
    open_ends += [("", port.name) for port in component.ports.values()]
    assert [end for end in open_ends if end not in reached] == []


@pytest.mark.parametrize("name", [TOP, SUBSYSTEM], ids=str)
def test_every_net_has_exactly_one_source_and_one_width(library: Library, name: Vlnv) -> None:
    component = library.get(name)
    ends = Ends(library, component, component.design)
    assert [wire for wire in netlist(component.design).wires() if contentions(ends, wire)] == []
    for net in nets_of(library, component):
        assert len(net.drivers) + len(net.tied) == 1, net
        assert net.tied or {ends.width(ends.resolve(end)) for end in net.ends} == {net.width}, net
    by_interface = {(end.instance, end.port) for _name, end in joined_by_interfaces(ends)}
    by_net = {(end.instance, end.port) for net in nets_of(library, component) for end in net.ends}
    assert by_interface & by_net == set()


@pytest.mark.parametrize("name", [TOP, SUBSYSTEM], ids=str)
def test_connected_interfaces_speak_one_protocol_and_agree_in_width(library: Library, name: Vlnv) -> None:
    component = library.get(name)
    ends = Ends(library, component, component.design)
    for joint in component.design.interconnections.values():
        assert len({interface_at(ends, end)[1].bus_type for end in joint.ends}) == 1
        modes = sorted(interface_at(ends, end)[1].mode for end in joint.ends)
        exported = any(not end.instance for end in joint.ends)
        assert modes == (["target", "target"] if exported else ["initiator", "target"])
    widths: dict[str, set[int | None]] = {}
    for logical, end in joined_by_interfaces(ends):
        widths.setdefault(logical, set()).add(ends.width(ends.resolve(end)))
    if name == TOP:  # The memory takes only the low address bits: its port map names the range.
        assert widths.pop("mem_bus ADDR") == {16, 32}
    assert {logical: found for logical, found in widths.items() if len(found) != 1} == {}


def test_widths_follow_the_overrides_of_the_instances(library: Library) -> None:
    memory, spi = library.get(vlnv("memory", "sram")), library.get(vlnv("peripheral", "spi"))
    assert port_width(memory, memory.ports["s_addr"]) == 14
    assert port_width(spi, spi.ports["cs_n"]) == 1
    for outer, instance, port, width in ((TOP, "u_mem", "s_addr", 16), (SUBSYSTEM, "u_spi", "cs_n", 4)):
        ends = Ends(library, library.get(outer), library.get(outer).design)
        assert ends.width(ends.resolve(Endpoint(instance=instance, port=port))) == width


def test_there_is_room_to_extend_it(library: Library) -> None:
    for spare in (vlnv("peripheral", "i2c"), vlnv("peripheral", "gpio"), vlnv("verification", "trace_monitor")):
        assert library.users_of(spare) == []
    for outer, instance, interfaces in ((TOP, "u_bus", {"m2"}), (SUBSYSTEM, "u_bridge", {"p4", "p5"})):
        component = library.get(outer)
        design = component.design
        used = {
            end.interface
            for joint in design.interconnections.values()
            for end in joint.ends
            if end.instance == instance
        }
        assert set(library.get(design.instances[instance].component).bus_interfaces) - used == interfaces
    sources = {
        end.port for net in nets_of(library, library.get(SUBSYSTEM)) for end in net.ends if end.instance == "u_intc"
    }
    assert sources & {"src4", "src5"} == set()
