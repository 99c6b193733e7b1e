# Four commands, and one for the documentation; the work of the first is in tools/setup.py.
.PHONY: setup run test clean pictures
.DEFAULT_GOAL := setup
MAKEFLAGS += --no-print-directory
BIN := .venv/bin
MODEL := qwen2.5-coder:1.5b

setup:
	@python3 tools/setup.py

run: setup
	@$(BIN)/blockwright
	@echo "run: finished"

test: export QT_QPA_PLATFORM = offscreen
test: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if $(BIN)/blockwright models pull $(MODEL); then \
		echo "$(BIN)/pytest"; $(BIN)/pytest; \
	else \
		echo "test: the weights of $(MODEL) cannot be fetched, so the tests that need them are left out"; \
		echo "$(BIN)/pytest -m 'not model'"; $(BIN)/pytest -m "not model"; \
	fi
	@echo "test: all passed"

pictures: export QT_QPA_PLATFORM = offscreen
pictures: setup
	@$(BIN)/python -m desktop.pictures

clean:
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks build dist out *.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@echo "clean: done (model weights in your cache folder stay)"
