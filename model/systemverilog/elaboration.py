"""What the elaborated design says about a module: widths of user types, values of expressions that need packages."""

from __future__ import annotations

from functools import cached_property

from pyslang import Bag, ConstantValue
from pyslang.ast import Compilation, CompilationOptions, InstanceBodySymbol, ParameterSymbol, PortSymbol

from model.systemverilog.headers import RtlModule
from model.systemverilog.reading import RtlFile

NO_DEFAULT = "1"
"""What a parameter without a default is taken to be."""


class Elaboration:
    """A module of a file with the defaults of its parameters, elaborated when it is first asked for."""

    def __init__(self, file: RtlFile, module: RtlModule) -> None:
        self._file = file
        self._module = module

    @cached_property
    def _body(self) -> InstanceBodySymbol | None:
        if not self._file.may_elaborate:
            return None
        options = CompilationOptions()
        options.topModules = {self._module.name}
        # A module some parameter of which has no default cannot be a top otherwise.
        options.paramOverrides = [
            f"{parameter.name}={NO_DEFAULT}" for parameter in self._module.parameters if not parameter.value
        ]
        compilation = Compilation(Bag([options]))
        compilation.addSyntaxTree(self._file.tree)
        tops = compilation.getRoot().topInstances
        return tops[0].body if len(tops) else None

    def port_width(self, name: str) -> int | None:
        """Bits of a port, or None where its type is not known or has none."""
        for port in self._body.portList if self._body is not None else ():
            if isinstance(port, PortSymbol) and port.name == name:
                type_ = port.type
                is_known = not type_.isError and (type_.isIntegral or type_.isUnpackedArray)
                return int(type_.bitstreamWidth) or None if is_known else None
        return None

    def parameter_value(self, name: str) -> str:
        """The value of a parameter as a constant, or "" where it has none."""
        for parameter in self._body.parameters if self._body is not None else ():
            if isinstance(parameter, ParameterSymbol) and parameter.name == name:
                return _text(parameter.value)
        return ""


def _text(constant: ConstantValue) -> str:
    """A constant as an expression, or "" where there is none."""
    value = constant.value
    if not isinstance(value, list):
        return "" if value is None else str(constant)
    elements = [_text(each) for each in value]
    return f"'{{{', '.join(elements)}}}" if all(elements) else ""
