"""Parameters of a module as parameters of a component (IEEE 1800-2017, clause 6.20)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from model.change import ElementKind
from model.difference import element_kind
from model.elements import Dimension, Parameter, ParameterType
from model.errors import DesignError
from model.expression_tree import Literal
from model.expressions import ExpressionError, evaluate, names_in, parse
from model.operations.parameters import check_captured, check_parameter, check_parameter_free
from model.parameters import Values, text_references
from model.systemverilog.draft import Draft
from model.systemverilog.elaboration import NO_DEFAULT
from model.systemverilog.headers import RtlModule, RtlParameter, RtlPort, RtlType, Sign
from model.systemverilog.text import is_literal_without_value
from model.vlnv import is_xml_name

_NUMBER_TYPES: dict[str, ParameterType] = {
    "byte": "byte",
    "shortint": "shortint",
    "int": "int",
    "integer": "int",
    "longint": "longint",
    "time": "longint",
    "real": "real",
    "realtime": "real",
    "shortreal": "shortreal",
}
_BIT_TYPES = {"bit", "logic", "reg"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """A type that a parameter may get.

    Attributes:
        is_said: whether it is the one that the module says, rather than one that can hold the value as well.
    """

    type: ParameterType
    sign: Sign = ""
    vectors: tuple[Dimension, ...] = ()
    is_said: bool = True


_TEXT = _Kind("string")
_UNTYPED = (_Kind("int"), _Kind("longint"), _Kind("real"))


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A value and the types that may hold it, the best first.

    Attributes:
        is_present: whether the value is what the module's expression gives now.
    """

    value: str
    kinds: Sequence[_Kind]
    arrays: tuple[Dimension, ...] = ()
    is_present: bool = False


def import_parameters(draft: Draft, module: RtlModule) -> None:
    """Add the parameters of a module, and those inside that its ports or parameters refer to."""
    parameters = _wanted(module)
    names = {parameter.name for parameter in parameters}
    for parameter in parameters:
        _Importer(draft, parameter, names).run()


class _Importer:
    """Imports one parameter."""

    def __init__(self, draft: Draft, parameter: RtlParameter, names: set[str]) -> None:
        self._draft = draft
        self._parameter = parameter
        self._names = names

    def run(self) -> None:
        parameter, draft = self._parameter, self._draft
        kind: ElementKind = "immediate_parameter" if parameter.is_local else "user_parameter"
        name = draft.legal(parameter.name, is_xml_name(parameter.name), parameter.line, kind)
        if name != parameter.name:
            draft.renamed[parameter.name] = name
        refusal = "it has no value"
        for candidate in self._candidates():
            for each in candidate.kinds:
                made = Parameter(
                    name=name,
                    kind="immediate" if parameter.is_local else "user",
                    value=candidate.value,
                    type=each.type,
                    description=parameter.comment,
                    sign=each.sign,
                    vectors=each.vectors,
                    arrays=candidate.arrays,
                )
                try:
                    self._add(made)
                except DesignError as problem:
                    refusal = problem.message
                    continue
                self._report_doubts(made, each.is_said, candidate.is_present)
                return
        message = f"Parameter {name} is not imported: {refusal}"
        draft.report("error", "not-imported", message, parameter.line, kind, name)

    def _candidates(self) -> Iterator[_Candidate]:
        """What to try, the best first."""
        parameter, draft = self._parameter, self._draft
        if parameter.type.name == "type":
            yield _Candidate(parameter.value or "logic", (_TEXT,))
            return
        if not parameter.value:
            yield _Candidate(NO_DEFAULT, (*self._kinds(NO_DEFAULT), _TEXT))
            return
        value = draft.in_own_names(parameter.value)
        if parameter.unpacked:
            yield from self._arrays(value)
            yield _Candidate(value, (_TEXT,))
            return
        if parameter.type == RtlType() and self._refers_to_text(value):
            yield _Candidate(value, (_TEXT,))
        yield _Candidate(value, self._kinds(value))
        present = self._present(value)
        if present:
            yield _Candidate(present, self._kinds(present), is_present=True)
        unknown = _unknown_bits(value)
        if unknown is not None and unknown == _unknown_bits(present):
            present = ""  # the module says the same in its own words
        yield _Candidate(self._unquoted(present or value), (_TEXT,), is_present=bool(present))

    def _arrays(self, value: str) -> Iterator[_Candidate]:
        """An array, where its size is fixed."""
        arrays = tuple(map(self._draft.dimension, self._parameter.unpacked))
        if not all(each.left for each in arrays):
            return
        kinds = (_TEXT,) if self._parameter.type.name == "string" else self._kinds("")
        yield _Candidate(value, kinds, arrays)
        present = self._present(value)
        if present:
            yield _Candidate(present, kinds, arrays, is_present=True)

    def _present(self, value: str) -> str:
        """What the module's expression gives now; asked for late, since it takes an elaboration."""
        return "" if value.startswith('"') else self._draft.elaboration.parameter_value(self._parameter.name)

    def _kinds(self, value: str) -> Sequence[_Kind]:
        type_ = self._parameter.type
        if type_.name == "string" or value.startswith('"'):
            return ()
        if type_.name in _NUMBER_TYPES and not type_.packed:
            sign: Sign = type_.sign or ("unsigned" if type_.name == "time" else "")
            return (_Kind(_NUMBER_TYPES[type_.name], sign),)
        whole = (_Kind("int", is_said=False), _Kind("longint", is_said=False))
        if type_.name in _BIT_TYPES or (not type_.name and type_.packed):
            vectors = tuple(map(self._draft.dimension, type_.packed))
            return (_Kind("bit", type_.sign, vectors), *whole)
        return _UNTYPED if type_ == RtlType() else whole if type_.name else _UNTYPED[:2]

    def _is_meant_as_text(self, made: Parameter) -> bool:
        parameter = self._parameter
        return parameter.type.name == "string" or '"' in parameter.value or self._refers_to_text(made.value)

    def _refers_to_text(self, value: str) -> bool:
        """Whether the value is that of a parameter that holds text."""
        try:
            return bool(names_in(value)) and isinstance(evaluate(value, Values(self._draft.component.parameters)), str)
        except ExpressionError:
            return False

    def _unquoted(self, text: str) -> str:
        """A string without its quotes, unless it would be taken for a number or a parameter then."""
        try:
            value = evaluate(text, {}) if not names_in(text) else None
        except ExpressionError:
            return text
        if not isinstance(value, str) or not value.strip() or is_literal_without_value(value):
            return text
        try:
            plain = evaluate(value, {}) if not names_in(value) else None
        except ExpressionError:
            return value
        is_taken = plain is not None or text_references(value, dict.fromkeys(self._names))
        return text if is_taken else value

    def _add(self, parameter: Parameter) -> None:
        """Add a parameter by the rules of the tools, which make neither immediate ones nor those with a width."""
        draft, component = self._draft, self._draft.component
        check_parameter_free(component, parameter.name)
        longer = component.model_copy(update={"parameters": component.parameters.set(parameter.name, parameter)})
        check_parameter(longer, parameter)
        check_captured(longer, parameter.name)
        draft.put(longer)

    def _report_doubts(self, made: Parameter, is_said: bool, is_present: bool) -> None:
        parameter = self._parameter

        def doubt(code: str, message: str) -> None:
            kind = element_kind(made, "user_parameter")
            self._draft.report("warning", code, f"Parameter {made.name} {message}", parameter.line, kind, made.name)

        if parameter.type.name == "type":
            doubt("type-parameter", "is a type; it is kept as text, and ports of that type have its width.")
        elif not parameter.value:
            doubt("no-default", f"has no default; it is {made.value} here.")
        elif parameter.unpacked and not made.arrays:
            doubt("kept-as-text", "is an array; its value is kept as text.")
        elif is_present:
            doubt("present-value", f"has its present value {made.value} instead of '{parameter.value}'.")
        elif _unknown_bits(made.value):
            # Type bit is two-state: x and z would become 0 there (clause 6.11.2).
            doubt("kept-as-text", f"has digits that no type of a component can hold: {made.value} is kept as text.")
        elif made.type == "string" and not self._is_meant_as_text(made):
            doubt("kept-as-text", f"has a value that is kept as text: {parameter.value}.")
        if not parameter.type.is_builtin or not is_said:
            doubt("type-changed", f"has the type {parameter.type}; it is {made.type} here.")


def _wanted(module: RtlModule) -> list[RtlParameter]:
    """The parameters, and those inside that ports or parameters refer to; each behind those that it refers to."""
    inside = {parameter.name: parameter for parameter in module.locals}
    every = {parameter.name: parameter for parameter in module.parameters} | inside
    needed: dict[str, None] = {}
    waiting = [text for parameter in module.parameters for text in _texts(parameter)]
    waiting.extend(text for port in module.ports for text in _texts(port))
    while waiting:
        for name in sorted(_names(waiting.pop())):
            if name in inside and name not in needed:
                needed[name] = None
                waiting.extend(_texts(inside[name]))
    ordered: dict[int, RtlParameter] = {}

    def place(parameter: RtlParameter, above: frozenset[str]) -> None:
        if id(parameter) in ordered:
            return
        for name in sorted(set[str]().union(*map(_names, _texts(parameter))) - above):
            if name in every:
                place(every[name], above | {name})
        ordered[id(parameter)] = parameter

    for parameter in (*module.parameters, *(each for name, each in inside.items() if name in needed)):
        place(parameter, frozenset({parameter.name}))
    return list(ordered.values())


def _texts(element: RtlParameter | RtlPort) -> list[str]:
    ranges = (*element.type.packed, *element.unpacked)
    value = element.value if isinstance(element, RtlParameter) else element.default
    return [text for range_ in ranges for text in range_] + [value]


def _names(text: str) -> frozenset[str]:
    try:
        return names_in(text) if text else frozenset()
    except ExpressionError:
        return frozenset()


def _unknown_bits(text: str) -> int | None:
    """The width of a literal that has ``x`` or ``z`` digits, None where the text is something else."""
    try:
        root = parse(text).root
    except ExpressionError:
        return None
    return root.size.width if isinstance(root, Literal) and root.value is None else None
