"""Nets that join parts of ports: which signal stands for each bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model.bits import Bit, BitNet, BitNets, default_value
from model.elements import Endpoint, SignalPort
from model.ends import Ends
from model.systemverilog.concatenation import Item, Part, Signal, concatenation
from model.systemverilog.names import identifier
from model.widths import port_bounds

_OWN = {"in": 0, "inout": 1, "out": 2}
_INSIDE = {"out": 0, "inout": 1, "in": 2}


class Bitwise:
    """Chooses for each bit the signal that carries it: a port of the module, or else a wire for an instance's pin.

    Args:
        ports: names of the module's own ports.
        claim: makes the name of a new wire.
        bounds: the bounds of a pin as expressions over the parameters of the module, or None.

    Attributes:
        joined_inputs: own ports that would have to be driven through another port of the module.
        is_counted: whether bits have been counted out, so that some text holds numbers where expressions would follow
            the parameters.
    """

    def __init__(
        self,
        ends: Ends,
        nets: BitNets,
        ports: Mapping[str, str],
        claim: Callable[[str], str],
        bounds: Callable[[tuple[str, str]], tuple[str, str] | None],
    ) -> None:
        self._ends = ends
        self._nets = nets
        self._ports = ports
        self._claim = claim
        self._bounds = bounds
        self.is_counted = False
        self._signals: dict[tuple[str, str], Signal] = {}
        self._flat: dict[str, Signal] = {}
        self.joined_inputs: list[str] = []

    def pin(self, pin: tuple[str, str]) -> str:
        """What a pin of an instance is connected to."""
        instance, port = pin
        bits = self._ends.bits(Endpoint(instance=instance, port=port))
        if bits is None:
            return ""
        found = self._ends.resolve(Endpoint(instance=instance, port=port))
        default = default_value(self._ends, found) if self._ends.direction(instance, port) == "in" else None
        items: list[Item] = []
        for place, index in enumerate(bits):
            bit = (instance, port, index)
            net = self._nets.at(bit)
            if default is not None and (net is None or (net.bits == (bit,) and net.tied is None)):
                items.append(default >> place & 1)
            else:
                items.append(self._item(bit, net))
        return self._low_part(pin, items) or self._counted(items[::-1])

    def _low_part(self, pin: tuple[str, str], items: list[Item]) -> str:
        """A signal, or its lower end with bounds that follow the parameters, where that is all of a pin; else ""."""
        first = items[0]
        if isinstance(first, int):
            return ""
        signal, bounds = first[0], self._bounds(pin)
        indices = [item[1] for item in items if not isinstance(item, int) and item[0] == signal]
        if len(indices) < len(items) or indices != list(range(len(items))) or signal.right or signal.step > 0:
            return ""
        if len(items) == abs(signal.left) + 1:
            return identifier(signal.name)
        return f"{identifier(signal.name)}[{bounds[0]}:0]" if bounds is not None and bounds[1] == "0" else ""

    def _counted(self, items: list[Item]) -> str:
        self.is_counted = True
        return concatenation(items)

    def assignments(self, port: str) -> list[tuple[str, str]]:
        """What has to be assigned to an own port, so that it carries what is joined with it."""
        bits = self._ends.bits(Endpoint(instance="", port=port))
        if bits is None:
            return []
        signal = self._signal("", port)
        assigned: list[tuple[str, str]] = []
        run: list[tuple[int, Item]] = []
        for index in [*bits[::-1], None]:
            item = None if index is None else self._foreign((signal, index), ("", port, index))
            if index is not None and item is not None:
                run.append((index, item))
            elif run:
                left = str(Part(signal, run[0][0], run[-1][0]))
                assigned.append((left, self._counted([each for _index, each in run])))
                run = []
        return assigned

    def wires(self) -> list[tuple[str, str]]:
        """The wires that stand for pins, and for own ports of several dimensions: name and range."""
        return [
            (signal.name, "" if signal.is_scalar else self._range((instance, port), signal))
            for (instance, port), signal in self._signals.items()
            if instance or port in self._flat
        ]

    def _range(self, pin: tuple[str, str], signal: Signal) -> str:
        bounds = self._bounds(pin)
        if bounds is None:
            self.is_counted = True
            bounds = str(signal.left), str(signal.right)
        return f"[{bounds[0]}:{bounds[1]}] "

    def flat_assignments(self) -> list[tuple[str, str]]:
        """What joins own ports of several dimensions with the plain vectors that stand for them."""
        pairs = ((identifier(signal.name), identifier(self._ports[port]), port) for port, signal in self._flat.items())
        return [
            (flat, whole) if self._ends.direction("", port) == "in" else (whole, flat) for flat, whole, port in pairs
        ]

    def _foreign(self, own: tuple[Signal, int], bit: Bit) -> Item | None:
        """What an own bit has to take its value from, or None."""
        net = self._nets.at(bit)
        if net is None:
            return None
        carrier = self._carrier(net)
        direction = self._ends.direction("", bit[1])
        if carrier == own:
            return net.tied if direction != "in" and not self._is_driven(net) else None
        if direction == "out":
            return carrier
        if bit[1] not in self.joined_inputs:
            self.joined_inputs.append(bit[1])
        return None

    def _is_driven(self, net: BitNet) -> bool:
        return any(self._ends.drives(instance, port) for instance, port, _index in net.bits)

    def _item(self, bit: Bit, net: BitNet | None) -> Item:
        carrier = self._carrier(net) if net is not None else None
        if carrier is None or (isinstance(carrier, int) and self._ends.direction(*bit[:2]) != "in"):
            return self._signal(bit[0], bit[1]), bit[2]
        return carrier

    def _carrier(self, net: BitNet) -> Item:
        own = [bit for bit in net.bits if not bit[0]]
        if own:
            instance, port, index = min(own, key=lambda bit: _OWN.get(self._ends.direction("", bit[1]) or "", 3))
        elif net.tied is not None and not self._is_driven(net):
            return net.tied
        else:
            instance, port, index = min(
                net.bits, key=lambda bit: _INSIDE.get(self._ends.direction(bit[0], bit[1]) or "", 3)
            )
        return self._signal(instance, port), index

    def _signal(self, instance: str, port: str) -> Signal:
        key = (instance, port)
        if key not in self._signals:
            found = self._ends.resolve(Endpoint(instance=instance, port=port))
            if isinstance(found.port, SignalPort) and (found.port.vectors or found.port.arrays):
                return self._flat_signal(instance, port)
            name = self._claim(f"{instance}_{port}") if instance else self._ports[port]
            bounds = None
            if found.owner is not None and isinstance(found.port, SignalPort) and found.port.left:
                bounds = port_bounds(found.owner, found.port, self._ends.overrides(found.instance))
            self._signals[key] = Signal(name, *bounds, is_scalar=False) if bounds is not None else Signal(name)
        return self._signals[key]

    def _flat_signal(self, instance: str, port: str) -> Signal:
        """A plain vector for a port of several dimensions, whose bits count from 0."""
        bits = self._ends.bits(Endpoint(instance=instance, port=port)) or [0]
        name = self._claim(f"{instance}_{port}" if instance else f"{port}_bits")
        signal = Signal(name, len(bits) - 1, 0, is_scalar=False)
        self._signals[(instance, port)] = signal
        if not instance:
            self._flat[port] = signal
        return signal
