"""Components that are read when they are asked for: the same values, just later."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model import operations
from model.errors import DesignError
from model.frozen_map import FrozenMap
from model.review import review
from model.storage import open_heads, open_workspace, save_component
from model.unread import LazyDict, LazyMap, Part, Unread
from model.vlnv import Vlnv

FIXTURES = Path(__file__).parent / "ipxact" / "fixtures"
TIMER, BOARD = Vlnv.parse("acme.example:periph:timer:1.0"), Vlnv.parse("acme.example:soc:board:2.0")
GATE = Vlnv.parse("acme.example:old:gate:0.9")


def part(value: int) -> Part[int]:
    return Part(Unread(lambda: (value,)), lambda whole: int(whole[0]))


def test_read_once_by_many_threads() -> None:
    start = threading.Barrier(8)
    reads: list[int] = []

    def read() -> object:
        reads.append(1)
        return object()

    unread = Unread(read)

    def ask(_number: int) -> object:
        start.wait()
        return unread.value()

    assert not unread.is_read
    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(ask, range(8)))
    assert unread.is_read
    assert (len(reads), len({id(value) for value in seen})) == (1, 1)


def test_what_failed_is_tried_again() -> None:
    answers = iter([MemoryError(), None])

    def read() -> int:
        if error := next(answers):
            raise error
        return 7

    unread = Unread(read)
    with pytest.raises(MemoryError):
        unread.value()
    assert not unread.is_read
    assert unread.value() == 7


@given(st.lists(st.tuples(st.sampled_from(["set", "without", "rename", "get"]), st.integers(0, 6), st.integers(0, 6))))
def test_a_lazy_map_is_the_map_that_it_stands_for(steps: list[tuple[str, int, int]]) -> None:
    plain: FrozenMap[int, int] = FrozenMap((key, key * 10) for key in range(5))
    lazy: FrozenMap[int, int] = LazyMap.of((key, part(key * 10)) for key in range(5))
    first = lazy
    for what, key, other in steps:
        if what == "set":
            plain, lazy = plain.set(key, other), lazy.set(key, other)
        elif key in plain and what == "without":
            plain, lazy = plain.without(key), lazy.without(key)
        elif key in plain and what == "rename" and other not in plain:
            plain, lazy = plain.rename(key, other, 5), lazy.rename(key, other, 5)
        assert lazy.get(key) == plain.get(key)
        assert list(lazy) == list(plain)
        assert lazy.items() == plain.items()
    assert lazy.values() == plain.values()
    assert hash(lazy) == hash(plain)
    assert lazy == plain
    assert plain == lazy
    assert [first[key] for key in first] == [0, 10, 20, 30, 40]


def test_a_lazy_dictionary_and_its_copy_are_apart() -> None:
    first = LazyDict({"a": part(1), "b": part(2)})
    second = copy(first)
    second["a"] = 7
    del second["b"]
    assert (dict(first), dict(second), len(first)) == ({"a": 1, "b": 2}, {"a": 7}, 2)


def test_a_folder_is_opened_without_reading_a_component(folder: Path) -> None:
    opened = open_heads(folder)
    library = opened.workspace.library
    assert set(library.components) == {TIMER, BOARD, GATE}
    assert all(library.is_unread(vlnv) for vlnv in (TIMER, BOARD, GATE))
    assert not opened.workspace.unsaved()
    assert not opened.workspace.fork().unsaved()
    assert not list(library.at_hand())
    assert library.find(BOARD)
    assert [component.vlnv for component in library.at_hand()] == [BOARD]
    assert opened.workspace.sources[BOARD].component is library.get(BOARD)
    assert library.is_unread(TIMER)


def test_the_same_as_reading_everything(folder: Path) -> None:
    whole, heads = open_workspace(folder), open_heads(folder)
    assert heads.bodies is not None
    assert (*heads.findings, *heads.bodies.read()) == whole.findings
    assert heads.workspace.library == whole.workspace.library
    assert dict(heads.workspace.sources) == dict(whole.workspace.sources)
    assert heads.workspace.catalog == whole.workspace.catalog
    assert review(heads.workspace) == review(whole.workspace)


def test_rules_see_what_was_not_read_yet(folder: Path) -> None:
    workspace = open_heads(folder).workspace
    with pytest.raises(DesignError, match="board"):  # which uses it, as only its body says
        workspace.apply(operations.delete_component, component=str(TIMER))
    workspace = open_heads(folder).workspace
    workspace.apply(operations.rename_component, component=str(TIMER), new_component="acme.example:periph:timer:9")
    assert str(workspace.library.get(BOARD).design.instances["t0"].component).endswith("timer:9")


def test_an_edit_is_saved_and_undone_while_the_rest_is_unread(folder: Path) -> None:
    workspace = open_heads(folder).workspace
    workspace.apply(operations.add_signal_port, component=str(TIMER), name="extra", direction="in")
    assert workspace.unsaved() == (TIMER,)
    assert workspace.library.is_unread(GATE)
    save_component(workspace, str(TIMER))
    assert not workspace.unsaved()
    workspace.undo()
    assert workspace.unsaved() == (TIMER,)
    assert "extra" not in workspace.library.get(TIMER).ports


def test_reading_that_is_stopped_leaves_the_rest_for_later(folder: Path) -> None:
    opened = open_heads(folder)
    assert opened.bodies is not None

    def stop(_stage: str, _count: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        opened.bodies.read(stop)
    library = opened.workspace.library
    assert sum(library.is_unread(vlnv) for vlnv in library.components) == 2
    assert "clk" in library.get(TIMER).ports


def test_files_are_read_as_they_were_when_the_folder_was_opened(folder: Path) -> None:
    workspace = open_heads(folder).workspace
    for path in folder.glob("*.xml"):
        path.write_text("gone")
    assert workspace.library.get(BOARD).design.instances
    assert workspace.sources[TIMER].content == (FIXTURES / "timer_2014.xml").read_bytes()


def test_opening_that_is_stopped_reads_no_further(folder: Path) -> None:
    seen: list[int] = []

    def stop(_stage: str, count: int, _total: int) -> None:
        seen.append(count)
        if count == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        open_heads(folder, stop)
    assert seen == [1, 2, 3]
