"""Text, lines and comments of a syntax tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from pyslang import SourceLocation, SourceManager
from pyslang.parsing import Token, TokenKind, Trivia, TriviaKind
from pyslang.syntax import SyntaxNode

from model.expressions import is_identifier
from model.systemverilog.text import is_pragma

Tree: TypeAlias = "SyntaxNode | Token | None"

_LINE_MARKS = re.compile(r"^//[/!<]*")
_BLOCK_MARKS = re.compile(r"^/\*[*!<]*|\*+/$")
_SEPARATORS = (TokenKind.Comma, TokenKind.Semicolon)
_ENDS = (TokenKind.CloseParenthesis, TokenKind.EndModuleKeyword)
_COMMENTS = (TriviaKind.LineComment, TriviaKind.BlockComment)


def tokens(*nodes: Tree) -> Iterator[Token]:
    """The tokens below some nodes, in order; those that are missing in the file left out."""
    waiting: list[Tree] = list(reversed(nodes))
    while waiting:
        node = waiting.pop()
        if isinstance(node, Token):
            if node and not node.isMissing and node.kind != TokenKind.Placeholder:
                yield node
        elif node is not None:
            waiting.extend(reversed([node[place] for place in range(len(node))]))  # type: ignore[misc]


def text_of(node: Tree) -> str:
    """Source text after preprocessing, without comments; escaped names that are plain words are written as such."""
    parts: list[str] = []
    is_escaped = False
    for token in tokens(node):
        between = "".join(each.getRawText() for each in token.trivia)
        # The blank that closes an escaped name is part of it.
        if parts and between and not (is_escaped and between == " "):
            parts.append(" ")
        is_escaped = token.rawText.startswith("\\") and is_identifier(token.valueText)
        parts.append(token.valueText if is_escaped else token.rawText)
    return "".join(parts).strip()


def line_of(place: SyntaxNode | Token | SourceLocation, manager: SourceManager) -> int:
    """The line of the file itself in which something stands, also where a macro wrote it."""
    if isinstance(place, SyntaxNode):
        place = place.getFirstToken()
    location = place.location if isinstance(place, Token) else place
    return int(manager.getLineNumber(manager.getFullyExpandedLoc(location)))


class Comments:
    """The comments of declarations that share lines.

    What stands behind a declaration on its line belongs to it, a comma or semicolon between aside; at the end of a line
    that declares several it belongs to the last of them. What stands in front of another declaration on the same line
    belongs to that one.
    """

    def __init__(self, *nodes: Tree) -> None:
        self._tokens = list(tokens(*nodes))
        self._places = {(token.location.buffer, token.location.offset): i for i, token in enumerate(self._tokens)}

    def of(self, node: SyntaxNode, start: SyntaxNode | None = None) -> str:
        """The comments of a declaration, or "".

        Args:
            start: where it begins, if not with ``node``: a keyword that stands before the first of several names.
        """
        first = next(tokens(start or node))
        return " ".join(_before(first.trivia) + self._behind(node.getLastToken()))

    def _behind(self, last: Token) -> list[str]:
        place = self._places.get((last.location.buffer, last.location.offset))
        if place is None:
            return []
        found: list[str] = []
        for token in self._tokens[place + 1 : place + 3]:
            texts: list[str] = []
            is_same_line = _collect(token.trivia, texts)
            is_separator = token.kind in _SEPARATORS
            # What a further declaration on this line follows is that one's.
            if not is_same_line or is_separator or token.kind in _ENDS:
                found.extend(texts)
            if not is_same_line or not is_separator:
                break
        return found


def _before(trivia: list[Trivia]) -> list[str]:
    """The comments between the beginning of a token's line, or the token before it there, and the token."""
    found: list[str] = []
    for each in trivia:
        if each.kind in (TriviaKind.EndOfLine, TriviaKind.Directive):
            found.clear()
        elif each.kind in _COMMENTS:
            found.extend(_plain(each))
    return found


def _collect(trivia: list[Trivia], found: list[str]) -> bool:
    """Gather comments up to the end of the line; whether it goes on."""
    for each in trivia:
        if each.kind == TriviaKind.EndOfLine:
            return False
        if each.kind == TriviaKind.Directive:
            node = each.syntax()
            # What stands before a directive on its line belongs to the directive in the tree.
            return node is not None and _collect(node.getFirstToken().trivia, found)
        if each.kind in _COMMENTS:
            found.extend(_plain(each))
    return True


def _plain(comment: Trivia) -> list[str]:
    """The text of a comment, unless it is empty or for tools."""
    marks = _LINE_MARKS if comment.kind == TriviaKind.LineComment else _BLOCK_MARKS
    text = " ".join(marks.sub("", comment.getRawText()).split())
    return [text] if text and not is_pragma(text) else []
