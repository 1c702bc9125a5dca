"""From a question to a tool: score the candidates, choose one. It decides and never runs a tool."""
