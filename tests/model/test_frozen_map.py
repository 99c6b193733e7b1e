"""The ordered, persistent mapping behaves as a dict that is copied at each change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from model.frozen_map import FrozenMap

keys = st.sampled_from("abcdef")
steps = st.lists(st.tuples(st.sampled_from(["set", "without", "rename"]), keys, keys, st.integers()), max_size=30)


def renamed(items: dict[str, int], old: str, new: str, value: int) -> dict[str, int]:
    """What renaming a key in its place means for a dict, for a new key that is not there."""
    return {(new if key == old else key): (value if key == old else known) for key, known in items.items()}


@given(st.dictionaries(keys, st.integers()), steps)
def test_it_follows_a_dict(start: dict[str, int], edits: list[tuple[str, str, str, int]]) -> None:
    plain, frozen = dict(start), FrozenMap(start)
    for what, key, other, value in edits:
        before, was = dict(plain), frozen
        if what == "set":
            plain[key] = value
            frozen = frozen.set(key, value)
        elif key not in plain:
            with pytest.raises(KeyError):
                frozen.without(key)
        elif what == "without":
            del plain[key]
            frozen = frozen.without(key)
        elif other not in plain:
            plain = renamed(plain, key, other, value)
            frozen = frozen.rename(key, other, value)
        assert list(was.items()) == list(before.items())
        assert list(frozen.items()) == list(plain.items())
        assert list(frozen) == list(plain)
        assert list(frozen.values()) == list(plain.values())
        assert len(frozen) == len(plain)
        assert all(frozen[key] == frozen.get(key) == plain[key] for key in plain)
        assert frozen.get("none") is None
        assert frozen.get("none", 7) == 7
        assert bool(frozen) == bool(plain)


@given(st.dictionaries(keys, st.integers()))
def test_equality_and_hash_see_content_and_order(items: dict[str, int]) -> None:
    one, other = FrozenMap(items), FrozenMap(list(items.items()))
    assert one == other
    assert hash(one) == hash(other)
    backwards = FrozenMap(list(items.items())[::-1])
    assert (one == backwards) == (list(items) == list(items)[::-1])
    assert one != items or not items or one is items
    assert one.set("new", 1) != one


def test_a_replaced_value_keeps_its_place_and_a_renamed_key_too() -> None:
    frozen = FrozenMap({"a": 1, "b": 2, "c": 3})
    assert list(frozen.set("a", 9).items()) == [("a", 9), ("b", 2), ("c", 3)]
    assert list(frozen.rename("b", "z", 8).items()) == [("a", 1), ("z", 8), ("c", 3)]
    assert list(frozen.without("a").set("a", 1)) == ["b", "c", "a"]


def test_a_value_that_is_none_is_there() -> None:
    frozen: FrozenMap[str, None] = FrozenMap({"a": None})
    assert "a" in frozen
    assert frozen.get("a", None) is None


def test_it_stands_in_a_pydantic_model_and_is_written_as_a_dict() -> None:
    class Holder(BaseModel):
        model_config = ConfigDict(frozen=True)
        entries: FrozenMap[str, int] = FrozenMap()

    holder = Holder(entries=FrozenMap({"a": 1}))
    assert holder.model_dump() == {"entries": {"a": 1}}
    assert holder == Holder(entries=FrozenMap({"a": 1}))
    with pytest.raises(ValueError, match="FrozenMap"):
        Holder(entries={"a": 1})  # type: ignore[arg-type]
