"""The design canvas: a component's inside as a block diagram that can be read, edited and navigated."""
