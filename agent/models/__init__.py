"""Local language models behind one small protocol: Ollama, the embedded engine, OpenAI-compatible servers."""
