"""Small PNG files: 256 colours chosen for the picture, without dithering, so that text stays crisp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage, qRgb

Colour = tuple[int, int, int]
_APART = (28, 16, 9, 5, 3, 0)  # how unlike colours of the palette are; frequent ones are taken first
_CANDIDATES = 3000


def save_small(image: QImage, path: Path) -> int:
    """Write a picture with a palette; return its size in bytes.

    Raises:
        OSError: the file cannot be written.
    """
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    width, height = plain.width(), plain.height()
    codes = memoryview(plain.constBits()).cast("I")  # 32 bits a pixel: lines have no padding
    counts = Counter(codes)
    ordered = [_parts(code) for code, _count in counts.most_common()]
    palette = _choose(ordered)
    nearest = {code: _nearest(_parts(code), palette) for code in counts}
    indexed = QImage(width, height, QImage.Format.Format_Indexed8)
    indexed.setColorTable([qRgb(*colour) for colour in palette])
    stride = indexed.bytesPerLine()
    found = bytes(map(nearest.__getitem__, codes))
    lines = [found[start : start + width].ljust(stride, b"\0") for start in range(0, width * height, width)]
    content = b"".join(lines)
    memoryview(indexed.bits())[: len(content)] = content
    path.parent.mkdir(parents=True, exist_ok=True)
    if not indexed.save(str(path), quality=0):
        raise OSError(f"{path} cannot be written.")
    return path.stat().st_size


def _parts(code: int) -> Colour:
    return (code >> 16) & 0xFF, (code >> 8) & 0xFF, code & 0xFF


def _choose(ordered: Sequence[Colour]) -> list[Colour]:
    """Up to 256 colours: frequent ones, at first only those that are unlike each other."""
    if len(ordered) <= 256:
        return list(ordered)
    taken: dict[Colour, None] = {}
    for least in _APART:
        for colour in ordered[:_CANDIDATES]:
            if len(taken) == 256:
                return list(taken)
            if colour not in taken and all(_distance(colour, other) >= least * least for other in taken):
                taken[colour] = None
    return list(taken)


def _nearest(colour: Colour, palette: Sequence[Colour]) -> int:
    return min(range(len(palette)), key=lambda index: _distance(colour, palette[index]))


def _distance(one: Colour, other: Colour) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2
