"""Reads the ports and parameters of a module from its syntax tree (IEEE 1800-2017, clauses 6.20 and 23.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from pyslang import SourceManager
from pyslang.parsing import Token, TokenKind
from pyslang.syntax import (
    AnsiPortListSyntax,
    DataDeclarationSyntax,
    DataTypeSyntax,
    DeclaratorSyntax,
    ExplicitAnsiPortSyntax,
    ExplicitNonAnsiPortSyntax,
    ImplicitAnsiPortSyntax,
    ImplicitNonAnsiPortSyntax,
    ImplicitTypeSyntax,
    IntegerTypeSyntax,
    InterfacePortHeaderSyntax,
    KeywordTypeSyntax,
    ModuleDeclarationSyntax,
    NetDeclarationSyntax,
    NetPortHeaderSyntax,
    NonAnsiPortListSyntax,
    ParameterDeclarationBaseSyntax,
    ParameterDeclarationStatementSyntax,
    ParameterDeclarationSyntax,
    PortDeclarationSyntax,
    PortReferenceSyntax,
    RangeDimensionSpecifierSyntax,
    RangeSelectSyntax,
    SyntaxKind,
    SyntaxNode,
    TypeParameterDeclarationSyntax,
    VariableDimensionSyntax,
    VariablePortHeaderSyntax,
)

from model.systemverilog.headers import Range, RtlDirection, RtlModule, RtlParameter, RtlPort, RtlType, Sign
from model.systemverilog.source_text import Comments, line_of, text_of

_DIRECTIONS: dict[TokenKind, RtlDirection] = {
    TokenKind.InputKeyword: "in",
    TokenKind.OutputKeyword: "out",
    TokenKind.InOutKeyword: "inout",
    TokenKind.RefKeyword: "ref",
}
_SIGNS: dict[TokenKind, Sign] = {TokenKind.SignedKeyword: "signed", TokenKind.UnsignedKeyword: "unsigned"}


def read_header(module: ModuleDeclarationSyntax, manager: SourceManager) -> RtlModule:
    """Read the ports and parameters of a module, those that are declared in its body too."""
    return _Reader(module, manager).read()


class _Reader:
    """Reads one module."""

    def __init__(self, module: ModuleDeclarationSyntax, manager: SourceManager) -> None:
        self._module = module
        self._manager = manager
        self._members = [node for node in _each(module.members) if isinstance(node, SyntaxNode)]
        self._problems: list[tuple[int, str]] = []

    def read(self) -> RtlModule:
        header = self._module.header
        parameters, locals_ = self._parameters()
        ports = header.ports
        found: list[RtlPort] = []
        if isinstance(ports, AnsiPortListSyntax):
            found = list(self._ansi(ports))
        elif isinstance(ports, NonAnsiPortListSyntax):
            found = list(self._non_ansi(ports))
        elif ports is not None:
            self._problem(ports, f"The ports {text_of(ports)} are not named one by one, so none is imported.")
        return RtlModule(
            name=header.name.valueText,
            parameters=tuple(parameters),
            locals=tuple(locals_),
            ports=tuple(found),
            problems=tuple(self._problems),
            line=line_of(header.moduleKeyword, self._manager),
        )

    def _problem(self, node: SyntaxNode, text: str) -> None:
        self._problems.append((line_of(node, self._manager), text))

    def _parameters(self) -> tuple[list[RtlParameter], list[RtlParameter]]:
        """The parameters of a module, and those of its body that an instance cannot set (clause 6.20.1)."""
        listed = self._module.header.parameters
        public: list[RtlParameter] = []
        if listed is not None:
            comments = Comments(listed)
            keyword = TokenKind.ParameterKeyword
            for declaration in _each(listed.declarations):
                if isinstance(declaration, ParameterDeclarationBaseSyntax):
                    if declaration.keyword.rawText:
                        keyword = declaration.keyword.kind
                    public.extend(self._declared(declaration, keyword == TokenKind.LocalParamKeyword, comments))
        local: list[RtlParameter] = []
        for place, member in enumerate(self._members):
            if isinstance(member, ParameterDeclarationStatementSyntax):
                declaration = member.parameter
                is_local = listed is not None or declaration.keyword.kind == TokenKind.LocalParamKeyword
                comments = Comments(member, *self._first_token_behind(place))
                (local if is_local else public).extend(self._declared(declaration, is_local, comments))
        return public, local

    def _first_token_behind(self, place: int) -> Iterator[Token]:
        following = self._members[place + 1 : place + 2]
        yield following[0].getFirstToken() if following else self._module.endmodule

    def _declared(
        self, declaration: ParameterDeclarationBaseSyntax, is_local: bool, comments: Comments
    ) -> Iterator[RtlParameter]:
        if isinstance(declaration, TypeParameterDeclarationSyntax):
            for place, each in enumerate(_each(declaration.declarators)):
                name, type_ = each.name.valueText, each.assignment
                value = text_of(type_.type) if type_ is not None else ""
                comment = comments.of(each, None if place else declaration)
                yield RtlParameter(name, RtlType("type"), is_local, (), value, comment, line_of(each, self._manager))
        elif isinstance(declaration, ParameterDeclarationSyntax):
            for place, each in enumerate(_each(declaration.declarators)):
                value = text_of(each.initializer.expr) if each.initializer is not None else ""
                yield RtlParameter(
                    name=each.name.valueText,
                    type=self._type(declaration.type),
                    is_local=is_local,
                    unpacked=self._dimensions(each.dimensions),
                    value=value,
                    comment=comments.of(each, None if place else declaration),
                    line=line_of(each, self._manager),
                )

    def _ansi(self, ports: AnsiPortListSyntax) -> Iterator[RtlPort]:
        """Ports that are declared in the list; what one leaves out it takes from the one before (clause 23.2.2.3)."""
        comments = Comments(ports)
        before = RtlPort("", "inout", RtlType())
        for port in _each(ports.ports):
            if isinstance(port, ImplicitAnsiPortSyntax):
                before = self._with_header(port.header, before)
                yield self._port(before, port.declarator, comments.of(port))
            elif isinstance(port, ExplicitAnsiPortSyntax):
                direction = _DIRECTIONS.get(port.direction.kind, before.direction)
                # The type is that of an expression inside the module.
                before = RtlPort("", direction, RtlType(text_of(port.expr), is_builtin=False))
                yield replace(
                    before,
                    name=port.name.valueText,
                    comment=comments.of(port),
                    line=line_of(port, self._manager),
                )

    def _with_header(self, header: SyntaxNode, before: RtlPort) -> RtlPort:
        """A nameless port with what a header says, and the rest from the port before."""
        if isinstance(header, InterfacePortHeaderSyntax):
            modport = header.modport.member.valueText if header.modport is not None else ""
            interface = ".".join(filter(None, (header.nameOrKeyword.valueText, modport)))
            return RtlPort("", "", RtlType(), interface=interface)
        if not isinstance(header, VariablePortHeaderSyntax | NetPortHeaderSyntax):
            return before
        direction = _DIRECTIONS.get(header.direction.kind)
        type_ = self._type(header.dataType)
        kind = header.varKeyword if isinstance(header, VariablePortHeaderSyntax) else header.netType
        if direction is None and type_ == RtlType() and not kind.rawText:
            return replace(before, unpacked=())
        return RtlPort("", direction or (before.direction or "inout"), type_)

    def _port(self, like: RtlPort, declarator: DeclaratorSyntax, comment: str) -> RtlPort:
        return replace(
            like,
            name=declarator.name.valueText,
            unpacked=self._dimensions(declarator.dimensions),
            default=text_of(declarator.initializer.expr) if declarator.initializer is not None else "",
            comment=comment,
            line=line_of(declarator, self._manager),
        )

    def _non_ansi(self, ports: NonAnsiPortListSyntax) -> Iterator[RtlPort]:
        """Ports that are only named in the list and declared in the body."""
        declared = self._declared_ports()
        for port in _each(ports.ports):
            name = ""
            if isinstance(port, ExplicitNonAnsiPortSyntax):
                name = port.name.valueText
            elif isinstance(port, ImplicitNonAnsiPortSyntax) and isinstance(port.expr, PortReferenceSyntax):
                name = port.expr.name.valueText
            elif port.kind == SyntaxKind.EmptyNonAnsiPort:
                continue
            inside = port.expr
            if not name:
                self._problem(port, f"The port {text_of(port)} has no name of its own and is not imported.")
            elif inside is None:
                yield RtlPort(name, "", RtlType(), line=line_of(port, self._manager))
            elif isinstance(inside, PortReferenceSyntax) and inside.select is None:
                known = declared.get(inside.name.valueText)
                yield replace(known or RtlPort("", "", RtlType(), line=line_of(port, self._manager)), name=name)
            else:
                first = next((declared[token] for token in _words(inside) if token in declared), None)
                direction: RtlDirection = first.direction if first is not None else ""
                type_ = RtlType(text_of(inside), is_builtin=False)
                yield RtlPort(name, direction, type_, line=line_of(port, self._manager))

    def _declared_ports(self) -> dict[str, RtlPort]:
        """The port declarations of the body; a range may stand in the declaration of the net or variable instead."""
        found: dict[str, RtlPort] = {}
        for place, member in enumerate(self._members):
            if isinstance(member, PortDeclarationSyntax):
                comments = Comments(member, *self._first_token_behind(place))
                like = self._with_header(member.header, RtlPort("", "inout", RtlType()))
                for at, each in enumerate(_each(member.declarators)):
                    port = self._port(like, each, comments.of(each, None if at else member))
                    found[port.name] = port
        for member in self._members:
            if isinstance(member, DataDeclarationSyntax | NetDeclarationSyntax):
                for each in _each(member.declarators):
                    port_ = found.get(each.name.valueText)
                    if port_ is not None and not port_.type.packed and port_.type.is_builtin:
                        found[port_.name] = replace(port_, type=self._type(member.type))
        return found

    def _type(self, node: DataTypeSyntax | None) -> RtlType:
        if isinstance(node, IntegerTypeSyntax | ImplicitTypeSyntax):
            name = node.keyword.rawText if isinstance(node, IntegerTypeSyntax) else ""
            return RtlType(name, sign=_SIGNS.get(node.signing.kind, ""), packed=self._dimensions(node.dimensions))
        if isinstance(node, KeywordTypeSyntax):
            return RtlType(node.keyword.rawText)
        return RtlType() if node is None else RtlType(text_of(node), is_builtin=False)

    def _dimensions(self, nodes: object) -> tuple[Range, ...]:
        found: list[Range] = []
        for node in _each(nodes):
            specifier = node.specifier if isinstance(node, VariableDimensionSyntax) else None
            selector = specifier.selector if isinstance(specifier, RangeDimensionSpecifierSyntax) else None
            if isinstance(selector, RangeSelectSyntax):
                found.append((text_of(selector.left), text_of(selector.right)))
            elif selector is not None:
                size = text_of(selector)
                found.append(("0", str(int(size) - 1) if size.isdecimal() else f"({size})-1"))
            else:
                found.append(("", ""))  # no fixed size: judged by whoever asks for the width
        return tuple(found)


def _each(nodes: object) -> list[Any]:
    """The nodes of a list without its separators; the stubs do not know what lists hold."""
    listed = cast(SyntaxNode, nodes)
    return [node for node in (listed[place] for place in range(len(listed))) if not isinstance(node, Token)]


def _words(node: SyntaxNode) -> list[str]:
    return "".join(
        character if character.isalnum() or character in "_$" else " " for character in text_of(node)
    ).split()
