"""In which order the standard wants children, of all versions at once: their names do not collide."""

from __future__ import annotations

from model.ipxact.document import Standard

_HEAD = ("vendor", "library", "name", "version", "displayName", "shortDescription")
_NAMED = ("name", "displayName", "shortDescription", "description", "isPresent")
_MODES = ("initiator", "master", "target", "slave", "system", "mirroredTarget", "mirroredSlave", "mirroredInitiator")

_ORDER: dict[str, tuple[str, ...]] = {
    "model": ("views", "instantiations", "ports", "modelParameters"),
    "view": (
        *_NAMED,
        "envIdentifier",
        "hierarchyRef",
        "componentInstantiationRef",
        "designInstantiationRef",
        "designConfigurationInstantiationRef",
        "vendorExtensions",
    ),
    "port": (
        *_NAMED,
        "wire",
        "transactional",
        "structured",
        "fieldMaps",
        "arrays",
        "access",
        "parameters",
        "vendorExtensions",
    ),
    "wire": (
        "direction",
        "qualifier",
        "vector",
        "vectors",
        "wireTypeDefs",
        "domainTypeDefs",
        "signalTypeDefs",
        "driver",
        "drivers",
        "constraintSets",
        "powerConstraints",
    ),
    "driver": ("range", "viewRef", "defaultValue"),
    "vector": ("left", "right"),
    "range": ("left", "right"),
    "transactional": (
        "transTypeDef",
        "service",
        "initiative",
        "kind",
        "busWidth",
        "qualifier",
        "protocol",
        "transTypeDefs",
        "connection",
        "powerConstraints",
    ),
    "protocol": ("protocolType", "payload"),
    "parameter": (*_NAMED, "vectors", "arrays", "value", "vendorExtensions"),
    "busInterface": (
        *_NAMED,
        "busType",
        "abstractionType",
        "abstractionTypes",
        *_MODES,
        "mirroredMaster",
        "mirroredSystem",
        "monitor",
        "connectionRequired",
        "portMaps",
        "bitsInLau",
        "bitSteering",
        "endianness",
        "parameters",
        "vendorExtensions",
    ),
    "abstractionType": ("viewRef", "abstractionRef", "portMaps"),
    "portMap": ("logicalPort", "physicalPort", "logicalTieOff", "isInformative"),
    "logicalPort": ("name", "range", "vector"),
    "structured": (
        "struct",
        "union",
        "interface",
        "vectors",
        "subPorts",
        "structPortTypeDefs",
    ),
    "subPort": (*_NAMED, "wire", "structured", "arrays", "access", "vendorExtensions"),
    "partSelect": ("indices", "range"),
    "subPortReference": ("partSelect",),
    "viewConfiguration": ("instanceName", "viewName", "view", "vendorExtensions"),
    "designConfiguration": (
        *_HEAD,
        "description",
        "designRef",
        "generatorChainConfiguration",
        "interconnectionConfiguration",
        "viewConfiguration",
    ),
    "connection": ("maxConnections", "minConnections"),
    "monitorInterconnection": (*_NAMED, "monitoredActiveInterface", "monitorInterface", "vendorExtensions"),
    "physicalPort": ("name", "partSelect", "vector", "subPort"),
    "componentInstance": (
        "instanceName",
        *_NAMED[1:],
        "componentRef",
        "configurableElementValues",
        "powerDomainLinks",
        "vendorExtensions",
    ),
    "adHocConnection": (
        *_NAMED,
        "tiedValue",
        "internalPortReference",
        "externalPortReference",
        "portReferences",
        "vendorExtensions",
    ),
    "portReferences": ("internalPortReference", "externalPortReference"),
    "internalPortReference": ("subPortReference", "partSelect", "vendorExtensions"),
    "externalPortReference": ("subPortReference", "partSelect", "vendorExtensions"),
    "interconnection": (*_NAMED, "activeInterface", "hierInterface", "vendorExtensions"),
}

_COMPONENT = (
    "typeDefinitions",
    "powerDomains",
    "busInterfaces",
    "indirectInterfaces",
    "channels",
    "remapStates",
    "modes",
    "addressSpaces",
    "memoryMaps",
    "model",
    "componentGenerators",
    "choices",
    "fileSets",
    "whiteboxElements",
    "clearboxElements",
    "cpus",
    "otherClockDrivers",
    "resetTypes",
)
_DESIGN = ("componentInstances", "interconnections", "adHocConnections", "hierConnections")
_TAIL = ("choices", "parameters", "assertions", "vendorExtensions")


def child_order(parent: str, standard: Standard) -> tuple[str, ...]:
    """Names of the children of an element in the order of the schema; empty where any order will do."""
    if parent not in ("component", "design"):
        return _ORDER.get(parent, ())
    body = _COMPONENT if parent == "component" else _DESIGN
    # 2022 moved the description of a document up beside its version.
    if standard == "2022":
        return (*_HEAD, "description", *body, *_TAIL)
    return (*_HEAD, *body, "description", *_TAIL)
