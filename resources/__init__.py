"""Prompts, tool descriptions, suites, example designs and what else ships as data."""
