"""The report of any number of runs: HTML with plots, Markdown and CSV."""
