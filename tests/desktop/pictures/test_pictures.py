"""The parts of the documentation's pictures that are not windows."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from desktop.pictures.many_blocks import TOP, many_blocks
from desktop.pictures.png import save_small
from model.checks import check_component


def _painted(application: QApplication, text: str) -> QImage:
    image = QImage(301, 120, QImage.Format.Format_ARGB32)
    image.fill(QColor("#ffffff"))
    painter = QPainter(image)
    for column in range(300):  # more colours than a palette has
        painter.fillRect(column, 60, 1, 60, QColor.fromHsv(column, 200, 60 + column // 2))
    painter.setPen(QColor("#1b1f27"))
    painter.drawText(10, 30, text)
    painter.end()
    return image


def test_a_picture_with_a_palette_looks_the_same_and_is_smaller(application: QApplication, tmp_path: Path) -> None:
    image = _painted(application, "u_cpu  acme:cpu:rv32:2.1")
    image.save(str(tmp_path / "plain.png"))
    size = save_small(image, tmp_path / "pictures" / "small.png")
    assert size < (tmp_path / "plain.png").stat().st_size
    small = QImage(str(tmp_path / "pictures" / "small.png"))
    assert small.colorCount() <= 256
    assert small.pixelColor(0, 0) == QColor("#ffffff")
    worst = 0
    for x in range(image.width()):
        for y in range(0, image.height(), 3):
            one, other = image.pixelColor(x, y), small.pixelColor(x, y)
            pairs = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
            worst = max(worst, *(abs(before - after) for before, after in pairs))
    assert worst <= 24


def test_few_colours_are_kept_exactly(application: QApplication, tmp_path: Path) -> None:
    image = QImage(33, 7, QImage.Format.Format_RGB32)
    image.fill(QColor("#fafbfd"))
    image.setPixelColor(32, 6, QColor("#3b5bdb"))
    save_small(image, tmp_path / "few.png")
    assert QImage(str(tmp_path / "few.png")).convertToFormat(QImage.Format.Format_RGB32) == image


def test_a_scene_that_there_is_not_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "desktop.pictures", "--only", "scored-request", "--out", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "scored-request" in ran.stderr
    assert "proposal" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_large_design_has_300_blocks_and_no_errors() -> None:
    library = many_blocks()
    assert len(library.get(TOP).design.instances) == 300
    assert not [finding for finding in check_component(library, TOP) if finding.severity == "error"]
