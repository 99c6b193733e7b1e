"""A process that is killed while it saves a component and its design loses neither: both are old, or both are new."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from model import operations
from model.errors import DesignError
from model.ipxact import atomic
from model.ipxact.atomic import finish_save, write_files
from model.locks import hold
from model.storage import load_component, open_workspace, save_component
from model.vlnv import Vlnv
from model.workspace import Workspace

ROOT = Path(__file__).parents[2]
TIMER, BOARD = "acme.example:periph:timer:1.0", "acme.example:soc:board:2.0"
NEW = "acme.example:soc:new:1.0"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="There is no fork and no kill -9.")

# Saves a component and its design in a child process each time, and kills it at another point of its dealings with the
# file system: every one that Python tells of, and every fsync.
_KILLER = """
import json, os, shutil, signal, sys
from pathlib import Path
from model import operations
from model.storage import open_workspace, save_component

template, places, vlnv = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

def save(folder, last):
    workspace = open_workspace(folder).workspace
    if vlnv.split(":")[2] == "new":
        vendor, library, name, version = vlnv.split(":")
        workspace.apply(operations.create_component, vendor=vendor, library=library, name=name, version=version)
        (folder / vendor / library / name / version).mkdir(parents=True)
    workspace.apply(operations.add_signal_port, component=vlnv, name="extra", direction="in")
    workspace.apply(
        operations.add_subcomponent, component=vlnv, subcomponent="acme.example:periph:timer:1.0", instance_name="t9"
    )
    done, points = False, 0

    def here(event, _arguments):
        nonlocal points
        points += not done
        if points == last and not done:
            os.kill(os.getpid(), signal.SIGKILL)

    really = os.fsync
    os.fsync = lambda handle: (sys.audit("fsync"), really(handle))
    sys.addaudithook(here)
    save_component(workspace, vlnv)
    done = True

killed = 0
while True:
    folder = places / f"{killed:03}"
    shutil.copytree(template, folder)
    child = os.fork()
    if not child:
        try:
            save(folder, killed + 1)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        print(json.dumps([killed, os.WEXITSTATUS(status)]))
        break
    killed += 1
"""


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("vlnv", [BOARD, NEW])
def test_both_files_are_old_or_both_are_new_wherever_it_is_killed(tmp_path: Path, folder: Path, vlnv: str) -> None:
    places = tmp_path / "places"
    command = [sys.executable, "-c", _KILLER, str(folder), str(places), vlnv]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    killed, status = json.loads(told.stdout)
    assert (status, told.stderr) == (0, "")
    assert killed > 15
    before, after = _files(folder), _files(places / f"{killed:03}")
    differing = {name for name in after if after[name] != before.get(name)}
    assert len(differing) == 2
    outcomes: list[bool] = []
    completed = 0
    for place in sorted(places.iterdir())[:killed]:
        opened = open_workspace(place)
        found = _files(place)
        assert found in (before, after)
        outcomes.append(found == after)
        component = opened.workspace.library.find(Vlnv.parse(vlnv))
        if found == after:
            assert component is not None
            assert "extra" in component.ports
            assert "t9" in component.design.instances
        completed += any("completed" in finding.message for finding in opened.findings)
        assert not [finding for finding in opened.findings if finding.severity == "error"]
    # Nothing was lost by a kill that came after the decision, and there were several of both kinds.
    assert outcomes == sorted(outcomes)
    assert outcomes.count(False) > 5
    assert outcomes.count(True) > 3
    assert completed >= 2


def _interrupt(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave what a process leaves that dies between the two files."""
    workspace = open_workspace(folder).workspace
    workspace.apply(operations.add_signal_port, component=BOARD, name="extra", direction="in")
    workspace.apply(operations.add_subcomponent, component=BOARD, subcomponent=TIMER, instance_name="t9")
    replace = Path.replace

    def dies_at_second(self: Path, target: Path) -> Path:
        if target.name == "board_2022.xml":
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", dies_at_second)
    monkeypatch.setattr(Path, "unlink", lambda _self, missing_ok=False: None)
    with pytest.raises(KeyboardInterrupt):
        save_component(workspace, BOARD)
    monkeypatch.undo()
    assert len(list(folder.glob(".board*"))) == 2


def test_a_single_file_that_is_opened_is_put_in_order_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _interrupt(folder, monkeypatch)
    opened = open_workspace(folder / "board_2022.xml")
    assert "extra" in opened.workspace.library.get(Vlnv.parse(BOARD)).ports
    assert next(finding.code for finding in opened.findings) == "save-interrupted"
    assert not list(folder.glob(".*"))


def test_a_component_that_is_loaded_is_put_in_order_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _interrupt(folder, monkeypatch)
    workspace = Workspace(folder)
    change = load_component(workspace, "board_2022.xml")
    assert "extra" in workspace.library.get(Vlnv.parse(BOARD)).ports
    assert "save-interrupted" in {warning.code for warning in change.warnings}


def test_a_folder_that_was_moved_is_still_put_in_order(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _interrupt(folder, monkeypatch)
    moved = folder.rename(tmp_path / "elsewhere")
    assert "extra" in open_workspace(moved).workspace.library.get(Vlnv.parse(BOARD)).ports


def test_a_folder_that_may_not_be_written_is_opened_with_a_warning(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _interrupt(folder, monkeypatch)

    def denied(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(Path, "replace", denied)
    opened = open_workspace(folder)
    assert ("warning", "save-interrupted") in {(finding.severity, finding.code) for finding in opened.findings}
    monkeypatch.undo()
    assert "extra" in open_workspace(folder).workspace.library.get(Vlnv.parse(BOARD)).ports


def test_the_save_of_a_living_process_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _interrupt(folder, monkeypatch)
    before = _files(folder)
    (record,) = folder.glob(".*.saving")
    with record.open("r+b") as stream:
        hold(stream)
        assert not [each for each in open_workspace(folder).findings if each.code == "save-interrupted"]
        assert _files(folder) == before


@pytest.mark.parametrize(
    "listed",
    [
        b'["../victim.xml"]\nwhole\n',
        b'["/tmp/victim.xml"]\nwhole\n',
        b'["link/victim.xml"]\nwhole\n',
        b'["Makefile"]\nwhole\n',
        b'["a\\u0000.xml"]\nwhole\n',
        b'{"victim.xml": 1}\nwhole\n',
        b"[7]\nwhole\n",
    ],
)
def test_a_record_from_elsewhere_touches_nothing_outside(folder: Path, tmp_path: Path, listed: bytes) -> None:
    (folder / "link").symlink_to(tmp_path)
    for place in (tmp_path, folder):
        for name in ("victim.xml", "Makefile"):
            (place / name).write_text("mine")
            (place / f".{name}.0123abcd.tmp").write_text("theirs")
    (folder / ".x.xml.0123abcd.saving").write_bytes(listed)
    before = _files(tmp_path)
    assert not [each for each in open_workspace(folder).findings if each.code == "save-interrupted"]
    assert _files(tmp_path) == before


@pytest.mark.parametrize("content", [b"", b'["a.x', b"\xff\xfe"])
def test_a_record_that_was_cut_off_goes(folder: Path, content: bytes) -> None:
    record = folder / ".a.xml.0123abcd.saving"
    record.write_bytes(content)
    assert finish_save(record, folder) is None
    assert not record.exists()


def test_files_in_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "designs").mkdir()
    files = [(tmp_path / "designs" / "d.xml", b"design"), (tmp_path / "c.xml", b"component")]

    def dies(_folder: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(atomic, "sync_folder", dies)
    monkeypatch.setattr(Path, "unlink", lambda _self, missing_ok=False: None)
    with pytest.raises(KeyboardInterrupt):
        write_files(files)
    monkeypatch.undo()
    (record,) = tmp_path.glob(".*.saving")
    assert not (tmp_path / "c.xml").exists()
    assert finish_save(record, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == dict(files)


def test_nobody_else_can_read_a_private_file_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    private = tmp_path / "c.xml"
    private.write_bytes(b"old")
    private.chmod(0o600)
    seen: list[int] = []
    monkeypatch.setattr(atomic.os, "fsync", lambda handle: seen.append(atomic.os.stat(handle).st_mode & 0o777) or None)
    write_files([(private, b"new")])
    assert seen[0] == 0o600
    assert private.read_bytes() == b"new"


def test_a_name_that_is_taken_by_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.xml").mkdir()
    with pytest.raises(DesignError) as caught:
        write_files([(tmp_path / "d.xml", b"1"), (tmp_path / "c.xml", b"2")])
    assert caught.value.code == "cannot-write"
    assert not list(tmp_path.glob(".*"))
