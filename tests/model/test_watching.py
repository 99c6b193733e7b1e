"""Files that another program changes while they are open: noticed, taken over in one step, or kept and asked about."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from model import operations
from model.elements import Component
from model.errors import DesignError
from model.storage import (
    DiskChanges,
    Watch,
    components_of,
    load_component,
    open_heads,
    open_workspace,
    reload_files,
    save_all,
    save_component,
)
from model.vlnv import Vlnv
from model.workspace import Workspace

FIXTURES = Path(__file__).parent / "ipxact" / "fixtures"
TIMER, BOARD = "acme.example:periph:timer:1.0", "acme.example:soc:board:2.0"
PORT = b"<ip:name>data_i</ip:name>"


@pytest.fixture
def watch(workspace: Workspace) -> Watch:
    return Watch(workspace)


def get(workspace: Workspace, vlnv: str) -> Component:
    return workspace.library.get(Vlnv.parse(vlnv))


def add_port(workspace: Workspace, vlnv: str = TIMER, name: str = "extra") -> None:
    workspace.apply(operations.add_signal_port, component=vlnv, name=name, direction="in")


def edit(path: Path, old: bytes, new: bytes) -> None:
    """What an editor does: another file takes the place of the old one."""
    content = path.read_bytes()
    assert old in content
    temporary = path.with_suffix(".new")
    temporary.write_bytes(content.replace(old, new))
    temporary.replace(path)


def rename_port(folder: Path) -> None:
    edit(folder / "timer_2014.xml", b">data_i<", b">sample_i<")


class TestNoticing:
    def test_nothing(self, watch: Watch) -> None:
        assert not watch.look()
        assert not watch.look()

    def test_changed_removed_and_added(self, watch: Watch, folder: Path, workspace: Workspace) -> None:
        rename_port(folder)
        (folder / "board.design_2022.xml").unlink()
        (folder / "later").mkdir()
        edit_free = (folder / "gate_2009.xml").read_bytes().replace(b">gate<", b">latch<")
        (folder / "later" / "latch.xml").write_bytes(edit_free)
        changes = watch.look()
        assert changes == DiskChanges(
            (folder / "timer_2014.xml",), (folder / "board.design_2022.xml",), (folder / "later" / "latch.xml",)
        )
        assert watch.look() == changes  # until somebody decides
        assert {str(vlnv) for vlnv in components_of(workspace, changes.paths)} == {TIMER, BOARD}

    def test_a_file_that_was_only_touched_is_the_same(self, watch: Watch, folder: Path) -> None:
        os.utime(folder / "timer_2014.xml", ns=(1, 1))
        assert not watch.look()

    def test_a_change_of_the_same_size_at_the_same_time_by_another_file(self, watch: Watch, folder: Path) -> None:
        watch.look()
        path = folder / "timer_2014.xml"
        before = path.stat()
        edit(path, b">data_i<", b">data_j<")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert watch.look().changed == (path,)

    def test_own_saves_are_no_news(self, watch: Watch, workspace: Workspace) -> None:
        watch.look()
        add_port(workspace)
        workspace.apply(operations.create_component, vendor="acme", library="l", name="c", version="1")
        save_all(workspace)
        assert not watch.look()
        workspace.undo()
        workspace.undo()
        assert not watch.look().added

    def test_strangers_and_hidden_files_are_no_news(self, watch: Watch, folder: Path) -> None:
        (folder / "settings.xml").write_text("<settings/>")
        (folder / ".timer.xml").write_bytes((folder / "timer_2014.xml").read_bytes())
        (folder / "notes.txt").write_text("x")
        assert not watch.look()

    def test_a_file_that_comes_in_two_pieces(self, watch: Watch, folder: Path) -> None:
        content = (folder / "gate_2009.xml").read_bytes().replace(b">gate<", b">latch<")
        path = folder / "latch.xml"
        path.write_bytes(content[:200])
        assert not watch.look()
        path.write_bytes(content)
        assert watch.look().added == (path,)

    def test_new_files_beside_a_single_file_are_no_news(self, folder: Path) -> None:
        workspace = open_workspace(folder / "timer_2014.xml").workspace
        watch = Watch(workspace, folder=False)
        (folder / "latch.xml").write_bytes((folder / "gate_2009.xml").read_bytes())
        rename_port(folder)
        assert watch.look() == DiskChanges((folder / "timer_2014.xml",))

    def test_components_that_were_deleted_are_no_news(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        workspace.apply(operations.delete_component, component=TIMER, force=True)
        (folder / "timer_2014.xml").unlink()
        assert not watch.look()

    def test_looking_reads_nothing_that_nobody_asked_for(self, folder: Path) -> None:
        opened = open_heads(folder)
        assert opened.bodies is not None
        workspace = opened.workspace
        watch = Watch(workspace, unread=opened.bodies.paths)
        rename_port(folder)
        assert not watch.look()
        assert workspace.library.is_unread(Vlnv.parse(TIMER))
        assert "data_i" in get(workspace, TIMER).ports  # as it was when the folder was opened
        assert watch.look().changed == (folder / "timer_2014.xml",)

    def test_a_workspace_without_a_folder(self) -> None:
        assert not Watch(Workspace()).look()

    def test_a_save_that_is_under_way_is_no_news(
        self, watch: Watch, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        add_port(workspace)
        written, looked = threading.Event(), threading.Event()
        replace = Path.replace

        def slowly(self: Path, target: Path) -> Path:
            result = replace(self, target)
            written.set()
            assert not looked.wait(0.05)  # it waits for the save, not the save for it
            return result

        monkeypatch.setattr(Path, "replace", slowly)
        saving = threading.Thread(target=save_component, args=(workspace, TIMER))
        saving.start()
        assert written.wait(10)
        changes = watch.look()
        looked.set()
        saving.join()
        assert not changes


class TestReloading:
    def test_one_step_that_undo_takes_back(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        rename_port(folder)
        edit(folder / "board.design_2022.xml", b">t1<", b">second<")
        change = reload_files(workspace, watch.look())
        assert change.summary == "Reloaded board.design_2022.xml and timer_2014.xml."
        assert {warning.code for warning in change.warnings} == {"component-missing"}
        assert "sample_i" in get(workspace, TIMER).ports
        assert "second" in get(workspace, BOARD).design.instances
        assert len(workspace.done) == 1
        assert not workspace.unsaved()
        assert not watch.look()
        workspace.undo()
        assert "data_i" in get(workspace, TIMER).ports
        # The files are not what the design says any more, and that is said again.
        assert len(watch.look().changed) == 2
        with pytest.raises(DesignError) as caught:
            save_component(workspace, TIMER)
        assert caught.value.code == "changed-on-disk"
        workspace.redo()
        assert not watch.look()

    def test_unsaved_edits_are_replaced_with_a_warning_and_come_back(
        self, watch: Watch, workspace: Workspace, folder: Path
    ) -> None:
        add_port(workspace)
        rename_port(folder)
        change = reload_files(workspace, watch.look())
        assert [warning.code for warning in change.warnings] == ["edits-replaced"]
        assert TIMER in change.warnings[0].message
        assert "extra" not in get(workspace, TIMER).ports
        workspace.undo()
        assert "extra" in get(workspace, TIMER).ports
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]

    def test_edits_of_other_components_stay(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        add_port(workspace, BOARD)
        rename_port(folder)
        reload_files(workspace, watch.look())
        assert "extra" in get(workspace, BOARD).ports
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [BOARD]

    def test_a_file_that_is_gone(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        (folder / "timer_2014.xml").unlink()
        change = reload_files(workspace, watch.look())
        assert next(str(element) for element in change.removed) == f"component {TIMER}"
        assert Vlnv.parse(TIMER) not in workspace.library
        assert "t0" in get(workspace, BOARD).design.instances  # shown as missing
        assert not watch.look()
        workspace.undo()
        assert "clk" in get(workspace, TIMER).ports
        assert watch.look().removed == (folder / "timer_2014.xml",)

    def test_a_design_that_is_gone(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        (folder / "board.design_2022.xml").unlink()
        change = reload_files(workspace, watch.look())
        assert "design-not-found" in {warning.code for warning in change.warnings}
        assert not get(workspace, BOARD).designs
        assert not watch.look()

    def test_a_design_that_comes_later(self, folder: Path) -> None:
        design = folder / "board.design_2022.xml"
        content = design.read_bytes()
        design.unlink()
        workspace = open_workspace(folder).workspace
        watch = Watch(workspace)
        assert not get(workspace, BOARD).designs
        (folder / "elsewhere").mkdir()
        (folder / "elsewhere" / "d.xml").write_bytes(content)
        reload_files(workspace, watch.look())
        assert "t0" in get(workspace, BOARD).design.instances
        assert not watch.look()

    def test_a_component_that_comes_later_names_the_overrides_of_its_users(self, folder: Path) -> None:
        content = (folder / "timer_2014.xml").read_bytes()
        (folder / "timer_2014.xml").unlink()
        workspace = open_workspace(folder).workspace
        watch = Watch(workspace)
        assert "id-width" in get(workspace, BOARD).design.instances["t0"].parameters
        (folder / "timer.xml").write_bytes(content)
        reload_files(workspace, watch.look())
        assert list(get(workspace, BOARD).design.instances["t0"].parameters) == ["WIDTH", "DEPTH"]
        assert not workspace.unsaved()
        workspace.undo()
        assert "id-width" in get(workspace, BOARD).design.instances["t0"].parameters
        assert not workspace.unsaved()

    def test_a_file_that_was_moved(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        (folder / "ip").mkdir()
        (folder / "timer_2014.xml").rename(folder / "ip" / "timer.xml")
        reload_files(workspace, watch.look())
        assert workspace.sources[Vlnv.parse(TIMER)].path == folder / "ip" / "timer.xml"
        assert "clk" in get(workspace, TIMER).ports
        assert not watch.look()

    def test_a_file_that_holds_another_component_now(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        edit(folder / "timer_2014.xml", b"<ip:version>1.0<", b"<ip:version>7.0<")
        reload_files(workspace, watch.look())
        assert Vlnv.parse(TIMER) not in workspace.library
        assert "clk" in get(workspace, TIMER.replace("1.0", "7.0")).ports

    def test_a_second_file_with_the_same_component(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        shutil.copyfile(folder / "timer_2014.xml", folder / "copy.xml")
        before = workspace.library
        changes = watch.look()
        change = reload_files(workspace, changes)
        assert [warning.code for warning in change.warnings] == ["duplicate-vlnv"]
        assert workspace.library == before
        assert not workspace.done
        watch.settle(changes)
        assert not watch.look()

    def test_a_file_that_is_broken_now(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        path = folder / "timer_2014.xml"
        path.write_bytes(path.read_bytes()[:300])
        before = workspace.library
        with pytest.raises(DesignError, match="keeps what was loaded") as caught:
            reload_files(workspace, watch.look())
        assert caught.value.code == "not-xml"
        assert workspace.library is before

    def test_of_several_files_those_that_can_be_read(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        rename_port(folder)
        (folder / "board.design_2022.xml").write_text("<!DOCTYPE x><x/>")
        before = get(workspace, BOARD)
        change = reload_files(workspace, watch.look())
        assert "doctype" in {warning.code for warning in change.warnings}
        assert "sample_i" in get(workspace, TIMER).ports
        assert get(workspace, BOARD) == before
        assert watch.look().changed == (folder / "board.design_2022.xml",)


class TestKeeping:
    def test_saving_asks_and_until_then_it_is_unsaved(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        rename_port(folder)
        watch.keep(watch.look())
        assert not watch.look()
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]
        with pytest.raises(DesignError) as caught:
            save_component(workspace, TIMER)
        assert caught.value.code == "changed-on-disk"
        save_component(workspace, TIMER, overwrite=True)
        assert (folder / "timer_2014.xml").read_bytes() == (FIXTURES / "timer_2014.xml").read_bytes()
        assert not workspace.unsaved()
        assert not watch.look()

    def test_the_next_change_is_told_again(self, watch: Watch, folder: Path) -> None:
        rename_port(folder)
        watch.keep(watch.look())
        edit(folder / "timer_2014.xml", b">sample_i<", b">probe_i<")
        assert watch.look().changed == (folder / "timer_2014.xml",)

    def test_a_removed_file_is_written_again(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        (folder / "timer_2014.xml").unlink()
        watch.keep(watch.look())
        assert not watch.look()
        assert [str(vlnv) for vlnv in workspace.unsaved()] == [TIMER]
        save_all(workspace)
        assert (folder / "timer_2014.xml").exists()
        assert not watch.look()

    def test_new_files_that_are_not_wanted(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        shutil.copyfile(folder / "timer_2014.xml", folder / "copy.xml")
        watch.keep(watch.look())
        assert not watch.look()
        assert not workspace.unsaved()

    def test_loading_it_after_all(self, watch: Watch, workspace: Workspace, folder: Path) -> None:
        rename_port(folder)
        watch.keep(watch.look())
        load_component(workspace, "timer_2014.xml", overwrite=True)
        assert not workspace.unsaved()
        assert "sample_i" in get(workspace, TIMER).ports
