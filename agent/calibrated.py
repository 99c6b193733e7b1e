"""What calibration has found out about models, kept in the user's configuration folder and used by the product."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from platformdirs import user_config_path
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

Mode = Literal["assisted", "faithful"]


class CalibrationError(Exception):
    """The file of calibrations cannot be read or written; the text names it and says what to do."""


class Calibrated(BaseModel):
    """The configuration to use for one model in one mode.

    Attributes:
        label: the configuration in the paper's notation.
        score: share of the work done on the tasks of the sample, with its 95 % interval from ``low`` to ``high``.
        tasks: how many tasks that was.
        digest: of the weights that were calibrated; other weights under the same name are not.
        made: when, in UTC.
    """

    model_config = ConfigDict(frozen=True)

    prompt: Literal["none", "basic", "md", "fewshot"] = "basic"
    tools: Literal["comprehensive", "minimal"] = "comprehensive"
    history: str = "run"
    label: str
    score: float
    low: float
    high: float
    tasks: int
    digest: str
    made: str

    def __str__(self) -> str:
        return (
            f"{self.label}: {self.score:.2f} of the work done on {self.tasks} tasks "
            f"(95 % {self.low:.2f}–{self.high:.2f}), calibrated {self.made[:10]}"
        )


_Content = TypeAdapter(dict[str, dict[Mode, Calibrated]])


def calibration_file() -> Path:
    """Where calibrations are kept."""
    return user_config_path("blockwright", appauthor=False) / "calibration.json"


def find(model: str, mode: Mode, digest: str) -> Calibrated | None:
    """What to use for a model; None where it was not calibrated, or other weights had its name then.

    Raises:
        CalibrationError: the file cannot be read.
    """
    found = _read().get(model, {}).get(mode)
    return found if found is not None and found.digest == digest else None


def keep(model: str, mode: Mode, calibrated: Calibrated) -> Path:
    """Have the product use a configuration from now on; returns the file.

    Raises:
        CalibrationError: the file cannot be read or written.
    """
    content = _read()
    content[model] = content.get(model, {}) | {mode: calibrated}
    path = calibration_file()
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(_Content.dump_json(content, indent=2) + b"\n")
        part.replace(path)
    except OSError as error:
        raise CalibrationError(f"{path} cannot be written: {os.strerror(error.errno or 0)}.") from error
    return path


def _read() -> dict[str, dict[Mode, Calibrated]]:
    path = calibration_file()
    try:
        return _Content.validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValidationError) as error:
        raise CalibrationError(
            f"{path} is not a list of calibrations, so none is used: delete it, and calibrate again."
        ) from error
