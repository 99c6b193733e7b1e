"""The sub-commands of the console script."""
