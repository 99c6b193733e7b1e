"""Suites, metrics, runner and report: how an agent's work is scored."""
