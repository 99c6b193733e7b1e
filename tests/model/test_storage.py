"""Opening, loading and saving: where files may lie, what may be replaced, and what a failure leaves behind."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from model import operations
from model.elements import Component
from model.errors import DesignError
from model.ipxact import atomic
from model.storage import load_component, open_workspace, save_all, save_component
from model.vlnv import Vlnv
from model.workspace import Transaction, Workspace

FIXTURES = Path(__file__).parent / "ipxact" / "fixtures"
LIBRARY = Path(__file__).parents[3] / "shared" / "ipxact" / "kactus2-example-library"
TIMER = "acme.example:periph:timer:1.0"
BOARD = "acme.example:soc:board:2.0"
BOARD_3 = "acme.example:soc:board:3.0"
NEW = "acme.example:soc:new:1.0"


def get(workspace: Workspace, vlnv: str) -> Component:
    return workspace.library.get(Vlnv.parse(vlnv))


def add_port(workspace: Workspace, vlnv: str = TIMER, name: str = "extra") -> None:
    workspace.apply(operations.add_signal_port, component=vlnv, name=name, direction="in")


def create(workspace: Workspace, vlnv: str = NEW) -> None:
    vendor, library, name, version = vlnv.split(":")
    workspace.apply(operations.create_component, vendor=vendor, library=library, name=name, version=version)


def refused(code: str) -> pytest.RaisesExc[DesignError]:
    return pytest.raises(DesignError, check=lambda error: error.code == code)


class TestOpening:
    def test_folder(self, folder: Path) -> None:
        seen: list[tuple[str, int, int]] = []
        opened = open_workspace(folder, lambda *told: seen.append(told))
        assert seen == [*(("files", n, 7) for n in range(1, 8)), *(("components", n, 3) for n in range(1, 4))]
        assert opened.active is None
        assert sorted(str(vlnv) for vlnv in opened.workspace.library.components) == [
            "acme.example:old:gate:0.9",
            TIMER,
            BOARD,
        ]
        assert not opened.workspace.unsaved()
        assert not opened.workspace.done

    def test_duplicates_and_strangers_are_findings(self, folder: Path) -> None:
        (folder / "zz").mkdir()
        shutil.copyfile(folder / "timer_2014.xml", folder / "zz" / "copy.xml")
        (folder / "settings.xml").write_text("<settings/>")
        (folder / "broken.xml").write_text("<a>")
        (folder / ".hidden").mkdir()
        shutil.copyfile(folder / "timer_2014.xml", folder / ".hidden" / "copy.xml")
        opened = open_workspace(folder)
        found = {(finding.severity, finding.code, finding.path and finding.path.name) for finding in opened.findings}
        assert {
            ("warning", "duplicate-vlnv", "copy.xml"),
            ("note", "not-ipxact", "settings.xml"),
            ("error", "not-xml", "broken.xml"),
            ("warning", "component-missing", "board.design_2022.xml"),
        } <= found
        assert opened.workspace.sources[Vlnv.parse(TIMER)].path == folder / "timer_2014.xml"

    def test_pipes_and_links_to_themselves_are_passed_over(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe.xml")
        (folder / "loop.xml").symlink_to("loop.xml")
        assert len(open_workspace(folder).workspace.library) > 0

    def test_links_that_lead_outside_are_not_followed(self, folder: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside.xml"
        (folder / "timer_2014.xml").rename(outside)
        (folder / "link.xml").symlink_to(outside)
        assert Vlnv.parse(TIMER) not in open_workspace(folder).workspace.library

    def test_file_with_what_it_needs(self, folder: Path) -> None:
        (folder / "broken.xml").write_text("<a>")
        opened = open_workspace(folder / "board_2022.xml")
        assert str(opened.active) == BOARD
        assert sorted(map(str, opened.workspace.library.components)) == [TIMER, BOARD]
        assert opened.workspace.folder == folder
        assert "not-xml" not in {finding.code for finding in opened.findings}

    def test_design_file_opens_its_component(self, folder: Path) -> None:
        assert str(open_workspace(folder / "board.design_2022.xml").active) == BOARD

    def test_design_file_alone(self, folder: Path, tmp_path: Path) -> None:
        alone = tmp_path / "alone"
        alone.mkdir()
        shutil.copyfile(folder / "board.design_2022.xml", alone / "d.xml")
        with refused("not-a-component"):
            open_workspace(alone / "d.xml")

    def test_file_of_a_library_finds_its_parts_at_their_usual_places(self, folder: Path, tmp_path: Path) -> None:
        root = tmp_path / "library"
        top = root / "acme.example" / "soc" / "board" / "2.0"
        part = root / "acme.example" / "periph" / "timer" / "1.0"
        for place, name in ((top, "board_2022.xml"), (top, "board.design_2022.xml"), (part, "timer_2014.xml")):
            place.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(folder / name, place / name)
        opened = open_workspace(top / "board_2022.xml")
        assert sorted(map(str, opened.workspace.library.components)) == [TIMER, BOARD]
        assert dict(get(opened.workspace, BOARD).design.instances["t0"].parameters)["WIDTH"] == "W"
        add_port(opened.workspace)
        with refused("outside-workspace"):
            save_component(opened.workspace, TIMER)

    @pytest.mark.skipif(not LIBRARY.is_dir(), reason="the corpus of public files is not here")
    def test_one_file_of_the_public_library(self) -> None:
        opened = open_workspace(LIBRARY / "tut.fi/cpu.subsystem/core_example/1.0/core_example.1.0.xml")
        assert len(opened.workspace.library) == 6
        assert not opened.findings


class TestLoading:
    def test_one_undo_step(self, folder: Path) -> None:
        workspace = Workspace(folder)
        change = load_component(workspace, "timer_2014.xml")
        assert f"component {TIMER}" in [str(element) for element in change.added]
        assert len(workspace.done) == 1
        assert not workspace.unsaved()
        workspace.undo()
        assert not len(workspace.library)
        assert not workspace.sources
        workspace.redo()
        assert not workspace.unsaved()

    def test_designs_are_found_and_missing_parts_are_warnings(self, folder: Path) -> None:
        workspace = Workspace(folder)
        change = load_component(workspace, "board_2022.xml", transaction=Transaction("ask"))
        assert {warning.code for warning in change.warnings} == {"component-missing"}
        assert list(get(workspace, BOARD).design.instances) == ["t0", "t1", "lost"]

    def test_a_part_that_comes_later_gives_its_names_to_overrides(self, folder: Path) -> None:
        workspace = Workspace(folder)
        load_component(workspace, "board_2022.xml")
        assert "id-width" in get(workspace, BOARD).design.instances["t0"].parameters
        load_component(workspace, "timer_2014.xml")
        assert list(get(workspace, BOARD).design.instances["t0"].parameters) == ["WIDTH", "DEPTH"]
        assert not workspace.unsaved()
        workspace.undo()
        assert "id-width" in get(workspace, BOARD).design.instances["t0"].parameters
        assert not workspace.unsaved()

    def test_the_same_vlnv_from_another_file(self, workspace: Workspace, folder: Path) -> None:
        other = folder / "other.xml"
        shutil.copyfile(folder / "timer_2014.xml", other)
        with refused("already-loaded"):
            load_component(workspace, "other.xml")
        load_component(workspace, "other.xml", overwrite=True)
        assert workspace.sources[Vlnv.parse(TIMER)].path == other
        workspace.undo()
        assert workspace.sources[Vlnv.parse(TIMER)].path == folder / "timer_2014.xml"

    def test_a_component_that_was_never_saved_is_not_replaced(self, workspace: Workspace, folder: Path) -> None:
        (folder / "timer_2014.xml").rename(folder / "later.xml")
        again = Workspace(folder)
        create(again, TIMER)
        with refused("already-loaded"):
            load_component(again, "later.xml")

    def test_loading_again_says_that_edits_went(self, workspace: Workspace) -> None:
        add_port(workspace)
        change = load_component(workspace, "timer_2014.xml")
        assert [warning.code for warning in change.warnings] == ["edits-replaced"]
        workspace.undo()
        assert "extra" in get(workspace, TIMER).ports

    @pytest.mark.parametrize("path", ["../secret.xml", "/etc/passwd", "sub/../../secret.xml", "link/secret.xml"])
    def test_outside(self, workspace: Workspace, folder: Path, path: str) -> None:
        shutil.copyfile(FIXTURES / "timer_2014.xml", folder.parent / "secret.xml")
        (folder / "link").symlink_to(folder.parent)
        with refused("outside-workspace"):
            load_component(workspace, path)

    def test_no_folder(self) -> None:
        with refused("no-folder"):
            load_component(Workspace(), "timer.xml")


class TestSaving:
    def test_unsaved_follows(self, workspace: Workspace, folder: Path) -> None:
        add_port(workspace)
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]
        saved = save_component(workspace, TIMER)
        assert saved.paths == (folder / "timer_2014.xml",)
        assert saved.message == f"Saved {TIMER} to timer_2014.xml."
        assert not workspace.unsaved()
        workspace.undo()
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]

    def test_nothing_to_save_touches_nothing(self, workspace: Workspace, folder: Path) -> None:
        before = (folder / "board_2022.xml").stat().st_mtime_ns
        assert "no unsaved changes" in save_component(workspace, BOARD).message
        assert (folder / "board_2022.xml").stat().st_mtime_ns == before

    def test_new_component_goes_to_its_usual_place(self, workspace: Workspace, folder: Path) -> None:
        create(workspace)
        workspace.apply(operations.add_subcomponent, component=NEW, subcomponent=TIMER, instance_name="t")
        place = folder / "acme.example" / "soc" / "new" / "1.0"
        assert save_component(workspace, NEW).paths == (place / "new.1.0.xml", place / "new.design.1.0.xml")
        assert sorted(path.name for path in place.iterdir()) == ["new.1.0.xml", "new.design.1.0.xml"]

    def test_save_all(self, workspace: Workspace) -> None:
        create(workspace)
        add_port(workspace)
        assert len(save_all(workspace)) == 2
        assert not workspace.unsaved()

    def test_save_all_saves_what_it_can_and_names_the_rest(self, workspace: Workspace, folder: Path) -> None:
        create(workspace)
        add_port(workspace)
        (folder / "timer_2014.xml").write_text("<other/>")
        with pytest.raises(DesignError, match=TIMER):
            save_all(workspace)
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]

    def test_elsewhere_keeps_everything_and_leaves_the_original(self, workspace: Workspace, folder: Path) -> None:
        original = (folder / "board_2022.xml").read_bytes()
        saved = save_component(workspace, BOARD, "copies/board.xml")
        assert saved.paths == (folder / "copies" / "board.xml", folder / "copies" / "board.design.2.0.xml")
        assert saved.paths[0].read_bytes() == original
        assert (folder / "board_2022.xml").read_bytes() == original
        assert saved.paths[1].read_bytes() == (folder / "board.design_2022.xml").read_bytes()
        assert workspace.sources[Vlnv.parse(BOARD)].path == saved.paths[0]

    def test_copy_and_rename_keep_what_only_the_file_knows(self, workspace: Workspace, folder: Path) -> None:
        original = (folder / "board.design_2022.xml").read_bytes()
        workspace.apply(operations.copy_component, component=BOARD, new_component=BOARD_3)
        saved = save_component(workspace, BOARD_3)
        assert b"structured" in saved.paths[0].read_bytes()
        assert b"acme:at" in saved.paths[1].read_bytes()
        assert (folder / "board.design_2022.xml").read_bytes() == original
        again = open_workspace(folder).workspace
        assert str(get(again, BOARD).design.vlnv) == "acme.example:soc:board.design:2.0"
        assert str(get(again, BOARD_3).design.vlnv) == "acme.example:soc:board.design:3.0"

    def test_a_renamed_component_gets_its_own_file_and_its_users_follow(
        self, workspace: Workspace, folder: Path
    ) -> None:
        new = "acme.example:periph:timer:2.0"
        workspace.apply(operations.rename_component, component=TIMER, new_component=new)
        assert sorted(map(str, workspace.unsaved())) == [new, BOARD]
        messages = [saved.message for saved in save_all(workspace)]
        assert any("timer_2014.xml still holds it under its former name" in message for message in messages)
        path = folder / "acme.example" / "periph" / "timer" / "2.0" / "timer.2.0.xml"
        original = (folder / "timer_2014.xml").read_bytes()
        assert path.read_bytes() == original.replace(b"<ip:version>1.0", b"<ip:version>2.0")
        again = open_workspace(folder).workspace
        assert str(get(again, BOARD).design.instances["t0"].component) == new
        assert dict(get(again, BOARD).design.instances["t0"].parameters)["WIDTH"] == "W"

    def test_changed_on_disk(self, workspace: Workspace, folder: Path) -> None:
        path = folder / "timer_2014.xml"
        path.write_bytes(path.read_bytes().replace(b"50 MHz", b"60 MHz"))
        add_port(workspace)
        before = path.read_bytes()
        with refused("changed-on-disk"):
            save_component(workspace, TIMER)
        assert path.read_bytes() == before
        save_component(workspace, TIMER, overwrite=True)
        assert b"extra" in path.read_bytes()

    def test_deleted_on_disk_is_written_again(self, workspace: Workspace, folder: Path) -> None:
        (folder / "timer_2014.xml").unlink()
        save_component(workspace, TIMER)
        assert (folder / "timer_2014.xml").read_bytes() == (FIXTURES / "timer_2014.xml").read_bytes()

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            ((FIXTURES / "gate_2009.xml").read_bytes(), "holds-another-component"),
            ((FIXTURES / "simple_bus_2014.xml").read_bytes(), "file-exists"),
            (b"notes", "file-exists"),
        ],
    )
    def test_occupied(self, workspace: Workspace, folder: Path, content: bytes, code: str) -> None:
        (folder / "taken.xml").write_bytes(content)
        create(workspace)
        with refused(code):
            save_component(workspace, NEW, "taken.xml")
        assert (folder / "taken.xml").read_bytes() == content
        save_component(workspace, NEW, "taken.xml", overwrite=True)
        assert b"<ipxact:name>new</ipxact:name>" in (folder / "taken.xml").read_bytes()

    def test_a_design_file_that_is_somebody_elses(self, workspace: Workspace, folder: Path) -> None:
        create(workspace)
        workspace.apply(operations.add_subcomponent, component=NEW, subcomponent=TIMER, instance_name="t")
        place = folder / "acme.example" / "soc" / "new" / "1.0"
        place.mkdir(parents=True)
        (place / "new.design.1.0.xml").write_text("mine")
        with refused("file-exists"):
            save_component(workspace, NEW)
        assert not (place / "new.1.0.xml").exists()

    @pytest.mark.parametrize(
        "path", ["../out.xml", "/tmp/out.xml", "a/../../out.xml", "link/out.xml", "link/deep/out.xml", "link.xml"]
    )
    def test_outside(self, workspace: Workspace, folder: Path, tmp_path: Path, path: str) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (folder / "link").symlink_to(outside)
        (folder / "link.xml").symlink_to(outside / "target.xml")
        create(workspace)
        with refused("outside-workspace"):
            save_component(workspace, NEW, path)
        assert not list(outside.iterdir())

    @pytest.mark.parametrize("path", ["new", "new.txt", "new.xml.exe", "a\0.xml", " "])
    def test_bad_path(self, workspace: Workspace, path: str) -> None:
        create(workspace)
        with refused("bad-path"):
            save_component(workspace, NEW, path)

    def test_no_such_component(self, workspace: Workspace) -> None:
        with refused("component-not-found"):
            save_component(workspace, NEW)

    def test_a_crash_between_the_two_files_loses_neither(
        self, workspace: Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_port(workspace, BOARD)
        workspace.apply(operations.add_subcomponent, component=BOARD, subcomponent=TIMER, instance_name="t9")
        component = (folder / "board_2022.xml").read_bytes()
        replaced: list[Path] = []
        replace = Path.replace

        def fails_at_second(self: Path, target: Path) -> Path:
            replaced.append(target)
            if len(replaced) == 2:
                raise OSError(28, "No space left on device", str(target))
            return replace(self, target)

        monkeypatch.setattr(Path, "replace", fails_at_second)
        with refused("cannot-write"):
            save_component(workspace, BOARD)
        monkeypatch.undo()
        assert [path.name for path in replaced] == ["board.design_2022.xml", "board_2022.xml"]
        assert (folder / "board_2022.xml").read_bytes() == component
        assert not list(folder.glob(".*"))
        assert "t9" in get(open_workspace(folder).workspace, BOARD).design.instances
        assert BOARD in map(str, workspace.unsaved())

    def test_a_disk_that_is_full_changes_nothing(
        self, workspace: Workspace, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_port(workspace)
        before = {path: path.read_bytes() for path in folder.iterdir()}

        def full(_handle: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(atomic.os, "fsync", full)
        with pytest.raises(DesignError, match="No space left"):
            save_component(workspace, TIMER)
        assert {path: path.read_bytes() for path in folder.iterdir()} == before

    def test_permissions_stay(self, workspace: Workspace, folder: Path) -> None:
        (folder / "timer_2014.xml").chmod(0o640)
        add_port(workspace)
        save_component(workspace, TIMER)
        assert (folder / "timer_2014.xml").stat().st_mode & 0o777 == 0o640
