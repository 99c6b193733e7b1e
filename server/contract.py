"""The 14 tools as every client sees them: names, arguments, kinds of effect. The one place where they are listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from model.operations.arguments import DIRECTIONS, ELEMENT_TYPES, INITIATIVES, KINDS, TYPES

Effect = Literal["read", "write", "file"]


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool.

    Attributes:
        form: what is to be written, for the refusal that names a missing argument.
        default: None for a required argument; a bool makes the argument a flag, a str makes it a text.
        choices: the legal values, or () for free text.
        counts: whether the text stands for a number of bits or a bound, so that a JSON ``8.0`` means ``8``.
    """

    name: str
    form: str
    default: str | bool | None = None
    choices: tuple[str, ...] = ()
    counts: bool = False

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None

    def schema(self, description: str = "") -> dict[str, Any]:
        """The argument's part of a JSON schema."""
        schema: dict[str, Any] = {"type": "boolean" if isinstance(self.default, bool) else "string"}
        if description:
            schema["description"] = description
        if self.choices:
            left_out = [self.default] if isinstance(self.default, str) and self.default not in self.choices else []
            schema["enum"] = [*left_out, *self.choices]
        if self.default is not None:
            schema["default"] = self.default
        return schema


@dataclass(frozen=True, slots=True)
class ToolContract:
    """One tool: what it is called, what it takes and what kind of effect it has.

    Attributes:
        destructive: it may take something away or overwrite it.
        idempotent: the same call again has no further effect.
    """

    name: str
    title: str
    effect: Effect
    arguments: tuple[Argument, ...]
    destructive: bool = False
    idempotent: bool = False

    @property
    def argument_names(self) -> tuple[str, ...]:
        """Every argument's name, in the order of the contract."""
        return tuple(argument.name for argument in self.arguments)

    def input_schema(self, descriptions: dict[str, str] | None = None) -> dict[str, Any]:
        """A flat JSON schema; ``descriptions`` are by argument name."""
        known = descriptions or {}
        return {
            "type": "object",
            "properties": {argument.name: argument.schema(known.get(argument.name, "")) for argument in self.arguments},
            "required": [argument.name for argument in self.arguments if argument.required],
            "additionalProperties": False,
        }


_COMPONENT = Argument("component", "vendor:library:name:version")
_ELEMENT_TYPE = Argument("element_type", "one of " + ", ".join(ELEMENT_TYPES), choices=ELEMENT_TYPES)
_DESCRIPTION = Argument("description", "free text", "")


def _optional(name: str, form: str, default: str = "", *, counts: bool = False) -> Argument:
    return Argument(name, form, default, counts=counts)


def _parameter_arguments() -> tuple[Argument, ...]:
    return (
        _COMPONENT,
        Argument("name", "name of the new parameter"),
        Argument("value", "the value as text"),
        Argument("type", "one of " + ", ".join(TYPES), "string", TYPES),
        _optional("minimum", "lowest legal value"),
        _optional("maximum", "highest legal value"),
        _DESCRIPTION,
    )


_CONTRACTS = (
    ToolContract(
        "create_component",
        "Create a component",
        "write",
        (
            Argument("vendor", "an XML name such as acme"),
            Argument("library", "an XML name such as peripherals"),
            Argument("name", "a name such as uart"),
            Argument("version", "a version such as 1.0"),
            _DESCRIPTION,
        ),
    ),
    ToolContract(
        "add_signal_port",
        "Add a signal port",
        "write",
        (
            _COMPONENT,
            Argument("name", "name of the new port"),
            Argument("direction", "in, out or inout", choices=DIRECTIONS),
            _optional("width", "bits, a number or an expression over parameters", "1", counts=True),
            _optional("left", "left bound, together with right", counts=True),
            _optional("right", "right bound, together with left", counts=True),
            _optional("default_value", "value when undriven"),
            _DESCRIPTION,
        ),
    ),
    ToolContract(
        "add_transactional_port",
        "Add a transactional port",
        "write",
        (
            _COMPONENT,
            Argument("name", "name of the new port"),
            Argument("initiative", "requires, provides or both", choices=INITIATIVES),
            Argument("kind", "one of " + ", ".join(KINDS), "tlm_socket", KINDS),
            _optional("protocol", "protocol name"),
            _optional("bus_width", "bits", counts=True),
            _DESCRIPTION,
        ),
    ),
    ToolContract("add_user_parameter", "Add a user parameter", "write", _parameter_arguments()),
    ToolContract("add_generator_parameter", "Add a generator parameter", "write", _parameter_arguments()),
    ToolContract(
        "add_subcomponent",
        "Add a subcomponent",
        "write",
        (
            _COMPONENT,
            Argument("subcomponent", "vendor:library:name:version of what is instantiated"),
            Argument("instance_name", "name of the new instance"),
            _DESCRIPTION,
        ),
    ),
    ToolContract(
        "add_subcomponent_connection",
        "Connect two ports",
        "write",
        (
            _COMPONENT,
            Argument("source_port", "name of the port that drives"),
            Argument("target_port", "name of the port that is driven"),
            _optional("source_instance", "instance of source_port; empty for the component's own port"),
            _optional("target_instance", "instance of target_port; empty for the component's own port"),
            _optional("name", "name of the connection; generated when empty"),
        ),
    ),
    ToolContract("get_component_details", "Read a component", "read", (_COMPONENT,), idempotent=True),
    ToolContract(
        "get_element",
        "Read one element",
        "read",
        (_COMPONENT, _ELEMENT_TYPE, Argument("name", "name of the element")),
        idempotent=True,
    ),
    ToolContract(
        "list_components",
        "List components",
        "read",
        tuple(_optional(field, "exact filter") for field in ("vendor", "library", "name", "version")),
        idempotent=True,
    ),
    ToolContract(
        "delete_element",
        "Delete an element",
        "write",
        (
            _COMPONENT,
            _ELEMENT_TYPE,
            Argument("name", "name of the element"),
            Argument("cascade", "true or false", default=False),
        ),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "delete_component",
        "Delete a component",
        "write",
        (_COMPONENT, Argument("force", "true or false", default=False)),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "save_component",
        "Save a component to a file",
        "file",
        (
            _COMPONENT,
            _optional("path", "file inside the workspace folder"),
            Argument("overwrite", "true or false", default=False),
        ),
        destructive=True,
        idempotent=True,
    ),
    ToolContract(
        "load_component",
        "Load a component from a file",
        "file",
        (Argument("path", "file inside the workspace folder"), Argument("overwrite", "true or false", default=False)),
        destructive=True,
    ),
)

TOOLS: dict[str, ToolContract] = {contract.name: contract for contract in _CONTRACTS}
"""The tools by name, in the order in which they are listed."""
