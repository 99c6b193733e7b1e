"""Elements that are to be written, and their text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from model.errors import DesignError

# Characters that XML 1.0 cannot carry, not even as references (production Char).
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Element:
    """An element to write: text or children, in the prefix of the file it goes to.

    Attributes:
        attributes: name and value; the prefix that 1685-2009 wants is added on writing.
    """

    name: str
    content: str | tuple[Element, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is written.

    Attributes:
        prefix: namespace prefix of elements with its colon, or "".
        attribute_prefix: the same for attributes.
        indent: white space in front of an element.
        unit: white space that each level adds.
        newline: line end, or "" where everything stands on one line.
    """

    prefix: str
    attribute_prefix: str
    indent: str
    unit: str
    newline: str

    def render(self, element: Element) -> str:
        """Text of an element; the indent in front of its first line is left to the caller."""
        return self._render(element, self.indent)

    def _render(self, element: Element, indent: str) -> str:
        name = self.prefix + element.name
        attributes = "".join(
            f' {self.attribute_prefix}{key}="{escape_attribute(value)}"' for key, value in element.attributes
        )
        if not element.content:
            return f"<{name}{attributes}/>"
        if isinstance(element.content, str):
            return f"<{name}{attributes}>{escape(element.content)}</{name}>"
        inner = indent + self.unit
        lead = self.newline + inner if self.newline else ""
        body = "".join(lead + self._render(child, inner) for child in element.content)
        tail = self.newline + indent if self.newline else ""
        return f"<{name}{attributes}>{body}{tail}</{name}>"


def escape(text: str) -> str:
    """Write text as element content.

    Raises:
        DesignError: ``unwritable-character``.
    """
    found = _FORBIDDEN.search(text)
    if found is not None:
        raise DesignError(
            "unwritable-character",
            f"'{text[:40]}' holds the character U+{ord(found.group()):04X}, which XML files cannot hold.",
            "Remove that character.",
        )
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def escape_attribute(text: str) -> str:
    """Write text as an attribute value between double quotes.

    Raises:
        DesignError: ``unwritable-character``.
    """
    return escape(text).replace('"', "&quot;").replace("\n", "&#10;").replace("\t", "&#9;")
