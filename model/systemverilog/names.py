"""Names of a design as SystemVerilog identifiers (IEEE 1800-2017, clauses 5.6 and annex B)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from model.elements import Component, SignalPort
from model.identity_cache import IdentityCache

_WORDS = """
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global
highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input
inside instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled
signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri
tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var
vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
"""
KEYWORDS = frozenset(_WORDS.split())

_SIMPLE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_UNFIT = re.compile(r"[^!-~]")


def identifier(name: str) -> str:
    """Return a name as it is written in source text: escaped, with the closing blank, where it is no plain word.

    The name must be :func:`representable`.
    """
    return name if _SIMPLE.fullmatch(name) and name not in KEYWORDS else f"\\{name} "


def representable(name: str) -> str:
    """Return the name with characters that even an escaped identifier cannot hold replaced by their number."""
    return _UNFIT.sub(lambda found: f"_u{ord(found.group()):x}_", name)


class Scope:
    """The names that are taken in one module: ports, parameters, wires and instances share one name space."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def claim(self, name: str, suffix: str = "") -> str:
        """Take a name, with a suffix or a number behind it where it is taken already."""
        wanted = representable(name)
        candidate, number = wanted, 1
        while candidate in self._taken:
            number += 1
            candidate = f"{wanted}{suffix}" if number == 2 and suffix else f"{wanted}{suffix}_{number}"
        self._taken.add(candidate)
        return candidate


@dataclass(frozen=True, slots=True)
class Names:
    """What the elements of a component are called in its module: raw names, not yet escaped.

    Attributes:
        ports: by port name; signal ports that a module can have.
        parameters: by parameter name.
    """

    ports: dict[str, str]
    parameters: dict[str, str]

    def written(self) -> dict[str, str]:
        """The parameters that an expression must write in another way than by their name."""
        return {name: identifier(raw) for name, raw in self.parameters.items() if identifier(raw) != name}

    def scope(self) -> Scope:
        """A scope in which these names are taken."""
        return Scope((*self.ports.values(), *self.parameters.values()))


_NAMES: IdentityCache[Component, Names] = IdentityCache()


def names_of(component: Component) -> Names:
    """Return the names in the module of a component; ports keep theirs where a parameter has the same."""
    return _NAMES.get(component, _names_of)


def _names_of(component: Component) -> Names:
    scope = Scope()
    ports = {port.name: scope.claim(port.name) for port in signal_ports(component)}
    return Names(ports, {name: scope.claim(name, "_value") for name in component.parameters})


def signal_ports(component: Component) -> list[SignalPort]:
    """The ports that a module can have: phantom ports exist only outside it, transactional ones not in RTL."""
    return [port for port in component.ports.values() if isinstance(port, SignalPort) and port.direction != "phantom"]
