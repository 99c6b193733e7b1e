"""Reading the arguments of operations: models send 8, "8" and null where text is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import get_args

from model.elements import Component, ParameterType
from model.errors import DesignError, nearest
from model.library import Library
from model.vlnv import Vlnv, is_port_name, is_xml_name

Argument = str | int | float | None
"""What an optional or numeric argument may arrive as; None and "" mean not given."""

Flag = bool | str | None

DIRECTIONS = ("in", "out", "inout")
INITIATIVES = ("requires", "provides", "both")
KINDS = ("tlm_port", "tlm_socket", "simple_socket", "multi_socket", "custom")
TYPES: tuple[str, ...] = get_args(ParameterType)
ELEMENT_TYPES = (
    "signal_port",
    "transactional_port",
    "user_parameter",
    "generator_parameter",
    "subcomponent",
    "connection",
)
MORE_ELEMENT_TYPES = ("structured_port", "immediate_parameter", "bus_interface", "interconnection")
"""What the desktop shows beyond the tools' contract; the operations take these too."""


def text(value: Argument, argument: str, *, required: bool = False) -> str:
    """Return an argument as the text it is.

    Raises:
        DesignError: ``bad-argument``, ``missing-argument``.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise DesignError("bad-argument", f"{argument} must be text, not {value!r}.")
    result = "" if value is None else str(value)
    if required and not result.strip():
        raise DesignError("missing-argument", f"{argument} is empty.", f"Give {argument}.")
    return result


def numeric(value: Argument, argument: str) -> str:
    """Return a number or expression without white space around it; 8, 8.0, "8" and " 8 " are the same.

    Raises:
        DesignError: ``bad-argument``.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return text(value, argument).strip()


def flag(value: Flag, argument: str) -> bool:
    """Return a flag; "true" and "false" count as such.

    Raises:
        DesignError: ``bad-argument``.
    """
    if isinstance(value, bool):
        return value
    word = "" if value is None else str(value).strip().lower()
    if word in {"", "false", "true"}:
        return word == "true"
    raise DesignError("bad-argument", f"{argument} must be true or false, not {value!r}.")


def choice(value: Argument, argument: str, legal: Sequence[str], default: str = "") -> str:
    """Return one of a fixed set of words.

    Raises:
        DesignError: ``bad-choice``, listing what is legal.
    """
    word = text(value, argument)
    if not word and default:
        return default
    if word not in legal:
        listed = ", ".join(legal)
        message = f"'{word}' is not a {argument}." if word else f"The {argument} is not given."
        begun = [option for option in legal if word and (word.startswith(option) or option.startswith(word))]
        near = sorted(begun, key=len, reverse=True)[:1] or nearest(word, legal)
        raise DesignError("bad-choice", message, f"Use one of {listed}.", near)
    return word


def find(library: Library, component: Argument, argument: str = "component") -> Component:
    """Return the component that a VLNV names.

    Raises:
        DesignError: ``bad-vlnv``, ``component-not-found``.
    """
    return library.get(vlnv(component, argument, library))


def vlnv(value: Argument | Vlnv, argument: str, library: Library) -> Vlnv:
    """Return an argument as a VLNV.

    Raises:
        DesignError: ``bad-vlnv``, with components of that name where a bare name was given.
    """
    if isinstance(value, Vlnv):
        return value
    words = text(value, argument, required=True).strip()
    try:
        return Vlnv.parse(words)
    except DesignError as problem:
        near = [str(known) for known in library.components if known.name.casefold() == words.casefold()]
        near = near[:3] or list(nearest(words, (str(known) for known in library.components)))
        raise DesignError(problem.code, problem.message, problem.hint, near) from None


def offer(names: Collection[str], most: int = 8) -> str:
    """A sentence with what there is to choose from, cut at a limit; "" where there is nothing."""
    if not names:
        return ""
    shown = list(names)[:most]
    return f"It has {', '.join(shown)}{f' and {len(names) - most} more' if len(names) > most else ''}."


def port_name(value: Argument, argument: str = "name") -> str:
    """Return a legal name of a port or connection.

    Raises:
        DesignError: ``bad-name``, ``missing-argument``.
    """
    return _legal(value, argument, is_port_name, "letters, digits, '_', '.', '-' and ':'")


def xml_name(value: Argument, argument: str = "name") -> str:
    """Return a legal name of an instance or parameter.

    Raises:
        DesignError: ``bad-name``, ``missing-argument``.
    """
    return _legal(value, argument, is_xml_name, "letters, digits, '_', '.' and '-'")


def _legal(value: Argument, argument: str, is_legal: Callable[[str], bool], characters: str) -> str:
    name = text(value, argument, required=True)
    if not is_legal(name):
        raise DesignError(
            "bad-name", f"'{name}' is not a legal {argument}.", f"Use {characters}; begin with a letter or '_'."
        )
    return name
