"""Names that became free and went to other elements: what a file says about an element beside its value follows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from model import operations
from model.saving import save_component
from model.storage import open_workspace
from model.vlnv import Vlnv
from model.workspace import Workspace

VLNV = "v:l:c:1"
FILE = """<?xml version="1.0" encoding="UTF-8"?>
<x:component xmlns:x="http://www.accellera.org/XMLSchema/IPXACT/1685-2014">
  <x:vendor>v</x:vendor><x:library>l</x:library><x:name>c</x:name><x:version>1</x:version>
  <x:model><x:ports>
    <x:port><x:name>a</x:name><x:wire><x:direction>in</x:direction></x:wire><x:vendorExtensions><k xmlns="urn:k">of a</k></x:vendorExtensions></x:port>
    <x:port><x:name>b</x:name><x:wire><x:direction>in</x:direction></x:wire><x:vendorExtensions><k xmlns="urn:k">of b</k></x:vendorExtensions></x:port>
  </x:ports></x:model>
  <x:parameters>
    <x:parameter parameterId="p1" resolve="user"><x:name>P</x:name><x:value>7</x:value></x:parameter>
  </x:parameters>
</x:component>
"""  # noqa: E501


@pytest.fixture
def opened(tmp_path: Path) -> Workspace:
    (tmp_path / "c.xml").write_text(FILE)
    return open_workspace(tmp_path).workspace


def rename(workspace: Workspace, kind: str, name: str, new: str) -> None:
    workspace.apply(operations.rename_element, component=VLNV, element_type=kind, name=name, new_name=new)


def saved(workspace: Workspace, folder: Path) -> str:
    save_component(workspace, VLNV)
    assert open_workspace(folder).workspace.library.get(Vlnv.parse(VLNV)) == workspace.library.get(Vlnv.parse(VLNV))
    return (folder / "c.xml").read_text()


def test_two_ports_that_swap_their_names_keep_their_extensions(opened: Workspace, tmp_path: Path) -> None:
    for name, new in (("a", "t"), ("b", "a"), ("t", "b")):
        rename(opened, "signal_port", name, new)
    wanted = (
        FILE.replace("<x:name>a<", "<x:name>t<").replace("<x:name>b<", "<x:name>a<").replace("<x:name>t<", "<x:name>b<")
    )
    assert saved(opened, tmp_path) == wanted


def test_a_port_that_takes_the_name_of_a_deleted_one_keeps_its_own_extension(opened: Workspace, tmp_path: Path) -> None:
    opened.apply(operations.delete_element, component=VLNV, element_type="signal_port", name="b")
    rename(opened, "signal_port", "a", "b")
    text = saved(opened, tmp_path)
    assert "of a" in text
    assert "of b" not in text


def test_a_new_parameter_of_a_freed_name_has_an_id_of_its_own(opened: Workspace, tmp_path: Path) -> None:
    rename(opened, "user_parameter", "P", "Q")
    opened.apply(operations.add_user_parameter, component=VLNV, name="P", value="1")
    text = saved(opened, tmp_path)
    assert text.count('parameterId="p1"') == 1
    assert '<x:parameter parameterId="p1" resolve="user"><x:name>Q</x:name>' in text


def test_a_parameter_that_is_made_again_keeps_its_id(opened: Workspace, tmp_path: Path) -> None:
    opened.apply(operations.delete_element, component=VLNV, element_type="user_parameter", name="P")
    opened.apply(operations.add_user_parameter, component=VLNV, name="P", value="1")
    assert 'parameterId="p1"' in saved(opened, tmp_path)


def test_a_slice_follows_the_parameter_that_it_is_written_with(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    make = workspace.apply
    make(operations.create_component, vendor="v", library="l", name="leaf", version="1")
    make(operations.add_signal_port, component="v:l:leaf:1", name="q", direction="out", width="8")
    make(operations.create_component, vendor="v", library="l", name="c", version="1")
    make(operations.add_user_parameter, component=VLNV, name="W", value="8", type="int")
    make(operations.add_signal_port, component=VLNV, name="o", direction="out", width="8")
    make(operations.add_subcomponent, component=VLNV, subcomponent="v:l:leaf:1", instance_name="u0")
    ends = {"source_instance": "u0", "source_port": "q", "source_left": "W-1", "source_right": "0", "target_port": "o"}
    make(operations.connect_slice, component=VLNV, name="s", **ends)
    for component in ("v:l:leaf:1", VLNV):
        save_component(workspace, component)
    rename(workspace, "user_parameter", "W", "A")
    make(operations.add_user_parameter, component=VLNV, name="W", value="4", type="int")
    save_component(workspace, VLNV)
    again = open_workspace(tmp_path).workspace.library.get(Vlnv.parse(VLNV))
    assert [str(end) for end in again.design.connections["s"].ends] == ["u0.q[A-1:0]", "o"]
