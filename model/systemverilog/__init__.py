"""SystemVerilog (IEEE 1800-2017): module headers become components, components become modules."""
