"""The embedded engine's own process: llama.cpp behind an OpenAI-style endpoint on loopback.

Run as a script by :mod:`agent.models.engine`. The first line on standard input is the configuration as JSON (so that
the key appears neither among the arguments nor in the environment); one line of JSON on standard output says that the
engine is ready, or why not. When standard input ends, the parent is gone, however it went, and so is this process.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import Any

BATCH = 128  # tokens read between two looks at whether the client has gone: some 2 s on two cores
PROMPT_CACHE_MIB = 512
NOBODY = "null"  # the one origin that CORS allows: no web page has a use for it without the key


def main() -> None:
    """Load the model, say so, and serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is for the parent to handle
    report = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever the library prints must not get between the reports
    config = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        import xllamacpp  # noqa: PLC0415  # its absence is to be reported, and it takes a while to import
    except ImportError as error:
        _say(report, {"error": "not-installed", "details": str(error)})
        sys.exit(1)
    try:
        server = xllamacpp.Server(_parameters(xllamacpp, config))
    except RuntimeError as error:
        _say(report, {"error": "failed", "details": str(error)})
        sys.exit(1)
    _say(report, {"url": server.listening_address})
    threading.Event().wait()


def _end_with_parent() -> None:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(0)


def _say(report: Any, fact: dict[str, str]) -> None:
    report.write(json.dumps(fact) + "\n")
    report.flush()


def _parameters(xllamacpp: Any, config: dict[str, Any]) -> Any:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = config["path"]
    parameters.model_alias = {config["name"]}
    parameters.n_ctx = config["num_ctx"]
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = BATCH
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = config["threads"]
    parameters.use_jinja = True
    parameters.cache_prompt = True
    parameters.cache_ram_mib = PROMPT_CACHE_MIB
    parameters.slot_save_path = config["prefixes"] + os.sep
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [config["key"]]
    parameters.cors_origins = NOBODY
    parameters.cors_origins_explicit = True
    parameters.cors_credentials = False
    parameters.ui = False
    parameters.offline = True
    parameters.verbosity = 1  # errors only
    return parameters


if __name__ == "__main__":
    main()
