"""The pictures of the documentation, taken from the running windows: ``python -m desktop.pictures``."""
