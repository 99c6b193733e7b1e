"""The picture of a design as a file: SVG, PDF or PNG."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMarginsF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from desktop.canvas.scene import DesignScene

_MARGIN = 30.0
_PNG_SCALE = 2.0
_PNG_LARGEST = 16_000  # pixels on a side
_DPI = 96


def export(scene: DesignScene, path: Path) -> None:
    """Write everything in a scene to a file; its suffix (``.svg``, ``.pdf`` or ``.png``) says in which format.

    Raises:
        ValueError: the suffix is another one, or nothing is shown.
        OSError: the file cannot be written.
    """
    source = scene.content_rect()
    if source.isEmpty():
        raise ValueError("There is nothing to export: open a component first.")
    source = source.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN)
    path.open("wb").close()  # tells at once whether the file can be written, which the writers of Qt do not
    match path.suffix.lower():
        case ".svg":
            _to_svg(scene, source, path)
        case ".pdf":
            _to_pdf(scene, source, path)
        case ".png":
            _to_png(scene, source, path)
        case other:
            path.unlink()
            raise ValueError(
                f"A picture cannot be written as {other or 'a file without a suffix'}: use svg, pdf or png."
            )


def _to_svg(scene: DesignScene, source: QRectF, path: Path) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(path))
    generator.setResolution(_DPI)
    generator.setSize(source.size().toSize())
    generator.setViewBox(QRectF(0, 0, source.width(), source.height()))
    _render(scene, source, QPainter(generator), source.size())


def _to_pdf(scene: DesignScene, source: QRectF, path: Path) -> None:
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(source.size() * 72 / _DPI, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(_DPI)
    _render(scene, source, QPainter(writer), source.size())


def _to_png(scene: DesignScene, source: QRectF, path: Path) -> None:
    scale = min(_PNG_SCALE, _PNG_LARGEST / max(source.width(), source.height()))
    image = QImage(QSize(int(source.width() * scale), int(source.height() * scale)), QImage.Format.Format_ARGB32)
    image.fill(scene.style_of_items.canvas)
    _render(scene, source, QPainter(image), QSizeF(image.size()))
    if not image.save(str(path)):
        raise OSError(f"The picture could not be written to {path}.")


def _render(scene: DesignScene, source: QRectF, painter: QPainter, size: QSizeF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene.render(painter, QRectF(0, 0, size.width(), size.height()), source, Qt.AspectRatioMode.KeepAspectRatio)
    painter.end()
