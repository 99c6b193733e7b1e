"""Making, deleting, renaming and copying components."""

from __future__ import annotations

import pytest
from designs import CORE, TOP, UART, Bench, two_cores

from model import operations
from model.vlnv import Vlnv


def test_create() -> None:
    bench = Bench()
    bench.do(
        operations.create_component, vendor="acme", library="soc", name="core", version="1.0", description="a core"
    )
    assert bench[CORE].description == "a core"
    assert [str(element) for element in bench.change.added] == [f"component {CORE}"]
    assert bench.change.summary == f"Created component {CORE}."
    assert not bench.change.warnings


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (("", "soc", "core", "1.0"), "vendor is empty"),
        (("acme", "soc", "core", ""), "version is empty"),
        (("1acme", "soc", "core", "1.0"), "'1acme' is not a legal vendor"),
        (("acme", "so c", "core", "1.0"), "'so c' is not a legal library"),
        (("acme", "soc", "co:re", "1.0"), "'co:re' is not a legal name"),
        (("acme", "soc", "core", "1/0"), "'1/0' is not a legal version"),
    ],
)
def test_create_refuses_illegal_fields(fields: tuple[str, str, str, str], said: str) -> None:
    vendor, library, name, version = fields
    problem = Bench().refused(
        "bad-vlnv", operations.create_component, vendor=vendor, library=library, name=name, version=version
    )
    assert said in str(problem)


def test_name_and_version_may_begin_with_a_digit() -> None:
    bench = Bench("acme:soc:8051:2024-01")
    assert Vlnv("acme", "soc", "8051", "2024-01") in bench.library


def test_create_refuses_what_exists_and_warns_of_another_case() -> None:
    bench = Bench(CORE)
    arguments = {"vendor": "acme", "library": "soc", "version": "1.0"}
    bench.refused("component-exists", operations.create_component, name="core", **arguments)
    bench.do(operations.create_component, name="CORE", **arguments)
    assert [warning.code for warning in bench.change.warnings] == ["case-differs"]
    assert CORE in bench.change.warnings[0].message


def test_a_component_that_does_not_exist_is_named_with_the_nearest() -> None:
    bench = Bench(CORE, UART)
    problem = bench.refused("component-not-found", operations.delete_component, component="acme:soc:coer:1.0")
    assert problem.suggestions[0] == CORE
    problem = bench.refused("bad-vlnv", operations.delete_component, component="uart")
    assert problem.suggestions == (UART,)
    problem = bench.refused("component-not-found", operations.delete_component, component="acme:soc:core:1.1")
    assert problem.suggestions[0] == CORE
    bench.refused("missing-argument", operations.delete_component, component=None)


def test_delete_refuses_what_is_instantiated_and_lists_where() -> None:
    bench = two_cores()
    problem = bench.refused("in-use", operations.delete_component, component=CORE)
    assert f"u1 in {TOP}" in problem.message
    assert f"u2 in {TOP}" in problem.message
    assert "force" in problem.hint


@pytest.mark.parametrize("force", [True, "true", "True"])
def test_delete_with_force_takes_instances_and_connections_along(force: object) -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    change = bench.do(operations.delete_component, component=CORE, force=force)
    assert Vlnv.parse(CORE) not in bench.library
    assert bench[TOP].design.is_empty
    removed = {str(element) for element in change.removed}
    assert {f"component {CORE}", f"subcomponent u1 of {TOP}", f"connection net of {TOP}"} <= removed
    assert "subcomponent u2" in change.summary
    assert "connection net" in change.summary
    assert "on disk stays" in change.summary


def test_rename_component_is_followed_by_its_instances() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(operations.rename_component, component=CORE, new_component="acme:soc:cpu:2.0")
    assert {instance.component.name for instance in bench[TOP].design.instances.values()} == {"cpu"}
    assert [component.vlnv.name for component in bench.library] == ["cpu", "top"]
    bench.refused("component-exists", operations.rename_component, component=TOP, new_component="acme:soc:cpu:2.0")
    before = bench.library
    bench.do(operations.rename_component, component=TOP, new_component=TOP)
    assert bench.library is before


def test_a_copy_is_used_by_nobody() -> None:
    bench = two_cores()
    bench.connect(TOP, "u1.q", "u2.d", "net")
    bench.do(operations.copy_component, component=TOP, new_component="acme:soc:top:1.1")
    copy = bench["acme:soc:top:1.1"]
    assert copy.ports == bench[TOP].ports
    assert copy.design.connections == bench[TOP].design.connections
    assert not bench.library.users_of(copy.vlnv)
    bench.refused("component-exists", operations.copy_component, component=TOP, new_component=CORE)
