"""Language models, agent loops and their evaluation. Designs are edited only through MCP calls."""
