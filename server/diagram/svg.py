"""The picture of a component as SVG text; it follows the reader's light or dark setting."""

from __future__ import annotations

from xml.sax.saxutils import escape

from model.elements import Component
from model.library import Library
from server.diagram.blocks import Block, Pin, picture_of
from server.diagram.layers import FOOT, PORT_HEIGHT, Box, Point, Route, arrange

_TITLE_HEIGHT = 34
_STUB = 14.0

_SANS = "Inter,'Segoe UI','DejaVu Sans',sans-serif"
_MONO = "'JetBrains Mono',Consolas,Menlo,'DejaVu Sans Mono',monospace"

# Attributes rather than a style sheet, so that simple viewers draw it too; the sheet only says what is dark.
_LOOKS = {
    "paper": 'fill="#ffffff"',
    "title": f'fill="#1c2430" font-family="{_SANS}" font-size="14" font-weight="600"',
    "name": f'fill="#1c2430" font-family="{_SANS}" font-size="12" font-weight="600"',
    "soft": f'fill="#657080" font-family="{_SANS}" font-size="10.5"',
    "pin": f'fill="#1c2430" font-family="{_MONO}" font-size="10.5"',
    "block": 'fill="#f5f7f9" stroke="#c6ccd4"',
    "missing": 'fill="#ffffff" stroke="#b42318" stroke-dasharray="5 3"',
    "port": 'fill="#ffffff" stroke="#0b6bcb"',
    "wire": 'fill="none" stroke="#475467" stroke-width="1.1"',
    "bus": 'fill="none" stroke="#475467" stroke-width="2.4"',
    "interface": 'fill="none" stroke="#0b6bcb" stroke-width="4"',
    "clock": 'fill="none" stroke="#98a2b3" stroke-width="1.1" stroke-dasharray="4 2"',
    "mark": 'fill="#475467"',
    "ring": 'fill="#ffffff" stroke="#475467"',
}
_DARK = (
    "@media (prefers-color-scheme:dark){.paper{fill:#16191d}.title,.name,.pin{fill:#e6e9ee}.soft{fill:#98a2b0}"
    ".block{fill:#20252b;stroke:#434b56}.missing{fill:#16191d;stroke:#f97066}.port{fill:#16191d;stroke:#6cb2f7}"
    ".wire,.bus{stroke:#a3adba}.interface{stroke:#6cb2f7}.clock{stroke:#657080}.mark{fill:#a3adba}"
    ".ring{fill:#16191d;stroke:#a3adba}}"
)


def _look(name: str) -> str:
    return f'class="{name}" {_LOOKS[name]}'


def diagram_svg(library: Library, component: Component) -> str:
    """Draw a component: its instances, ports and wires, or its own ports where it has no inside."""
    picture = picture_of(library, component)
    arranged = arrange(picture)
    title = str(component.vlnv)
    said = f"{len(component.design.instances)} subcomponents, {len(component.ports)} ports"
    width = max(arranged.width, len(title) * 8 + 40)
    height = arranged.height + _TITLE_HEIGHT + (20 if picture.left_out else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}"'
        f' height="{height:.0f}" role="img">',
        f"<title>{escape(title)}</title><desc>{escape(component.description or said)}</desc>",
        f"<style>{_DARK}</style>",
        f'<rect {_look("paper")} width="{width:.0f}" height="{height:.0f}"/>',
        f'<text {_look("title")} x="20" y="24">{escape(title)}</text>',
        f'<g transform="translate(0 {_TITLE_HEIGHT})">',
        *(_route(route) for route in arranged.routes),
        *(_box(box) for box in arranged.boxes),
        "</g>",
    ]
    if picture.left_out:
        more = f"{picture.left_out} more subcomponents are not shown."
        parts.append(f'<text {_look("soft")} x="20" y="{height - 10:.0f}">{more}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _route(route: Route) -> str:
    net = route.net
    look = "interface" if net.is_interface else "bus" if net.is_bus else "clock" if net.is_clock else "wire"
    stubs = [((x, y), (x - _STUB, y)) for x, y in route.stubs if net.tied]
    path = "".join(f"M{_xy(start)}L{_xy(end)}" for start, end in [*route.lines, *stubs] if start != end)
    if not path:
        return ""
    marks = "".join(f'<circle {_look("mark")} cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in route.dots)
    tied = escape(net.tied[:16])
    marks += "".join(
        f'<text {_look("pin")} text-anchor="end" x="{x - 3:.1f}" y="{y + 3.5:.1f}">{tied}</text>'
        for _start, (x, y) in stubs
    )
    title = f"<title>{escape(net.name)}</title>"
    return f'<g>{title}<path {_look(look)} d="{path}"/>{marks}</g>'


def _xy(point: Point) -> str:
    return f"{point[0]:.1f} {point[1]:.1f}"


def _box(box: Box) -> str:
    block = box.block
    if block is None:
        return ""
    place = f'<g transform="translate({box.x:.1f} {box.y:.1f})">'
    if block.style == "port":
        return f"{place}{_own_port(block, box.width)}</g>"
    look = "missing" if block.style == "missing" else "block"
    parts = [
        place,
        f'<rect {_look(look)} width="{box.width:.1f}" height="{box.height:.1f}" rx="4"/>',
        f'<text {_look("name")} x="10" y="17">{escape(block.name)}</text>',
        f'<text {_look("soft")} x="10" y="31">{escape(block.subtitle)}</text>',
        *(_pin(pin, box.width) for pin in block.pins),
    ]
    if block.hidden:
        parts.append(f'<text {_look("soft")} x="10" y="{box.height - FOOT / 2:.1f}">{block.hidden} more ports</text>')
    return "".join([*parts, "</g>"])


def _own_port(block: Block, width: float) -> str:
    """A flag that points the way the signal goes."""
    right = f"{width:.1f}"
    tip, height = f"{width - 10:.1f}", f"{PORT_HEIGHT:.0f}"
    half = f"{PORT_HEIGHT / 2:.1f}"
    shape = f"M0 0H{tip}L{right} {half}L{tip} {height}H0Z"
    return f'<path {_look("port")} d="{shape}"/><text {_look("pin")} x="8" y="15">{escape(block.name)}</text>'


def _pin(pin: Pin, width: float) -> str:
    left = pin.side == "left"
    x = 0.0 if left else width
    anchor = "" if left else ' text-anchor="end"'
    text_x = 10.0 if left else width - 10
    label = f'<text {_look("pin")}{anchor} x="{text_x:.1f}" y="{pin.y + 3.5:.1f}">{escape(pin.label)}</text>'
    if pin.kind == "signal":
        mark = f'<rect {_look("mark")} x="{x - 3:.1f}" y="{pin.y - 3:.1f}" width="6" height="6"/>'
    elif pin.kind == "transactional":
        mark = f'<circle {_look("ring")} cx="{x:.1f}" cy="{pin.y:.1f}" r="4"/>'
    else:
        mark = f'<rect {_look("ring")} x="{x - 4:.1f}" y="{pin.y - 6:.1f}" width="8" height="12" rx="2"/>'
    return mark + label
