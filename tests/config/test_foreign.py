"""Files of other tools are named, not half read."""

import pytest

from tests.config.conftest import Folder

CASES = [
    (
        "site_type.xml",
        "<root xmlns='http://nlweb.ai/base'><Thing><Prompt ref='X'/></Thing></root>",
        "NLWeb's prompts",
    ),
    ("p.xml", "<root><Site id='default'><Item><Prompt ref='X'/></Item></Site></root>", "NLWeb's prompts"),
    ("t.xml", "<ToolDefinitions><Tool id='a'/></ToolDefinitions>", "nlweb-net's ToolDefinitions"),
    ("n.xml", "<root xmlns='http://nlweb.ai/base'/>", "NLWeb's prompts"),
    ("h.xml", "<html/>", "the root element <html>"),
    (
        "t.yaml",
        "sources: {pg: {kind: postgres}}\ntools: {a: {kind: postgres-sql}}\n",
        "an MCP Toolbox configuration",
    ),
    ("m.yaml", "kind: source\nname: a\n---\nkind: tool\nname: b\n", "an MCP Toolbox configuration"),
    ("v.yaml", "kind: prompts\nname: a\n---\nkind: embeddingModel\nname: b\n", "an MCP Toolbox configuration"),
    ("u.yaml", "tools: {a: {type: postgres-sql, source: pg}}\n", "an MCP Toolbox configuration"),
    ("w.yaml", "preferred_endpoint: openai\nendpoints: {}\n", "a file that sets up NLWeb's own server"),
    ("x.yaml", "port: 8000\nstatic_directory: ../static\n", "a file that sets up NLWeb's own server"),
    ("c.json", '{"mcpServers": {}}', "the configuration of an MCP client"),
    ("o.yaml", "openapi: 3.1.0\npaths: {}\n", "an OpenAPI document"),
    ("k.yaml", "apiVersion: v1\nkind: ConfigMap\n", "a Kubernetes manifest"),
    ("l.yaml", "- a\n- b\n", "no mapping of keys"),
    ("s.json", '"text"', "no mapping of keys"),
    ("x.yaml", "<Tools><Item/></Tools>", "no mapping of keys"),
]


@pytest.mark.parametrize(("name", "content", "what"), CASES)
def test_it_is_said_what_the_file_is_and_what_to_do(folder: Folder, name: str, content: str, what: str) -> None:
    found, problems = folder.read(f"tools.d/{name}", content)
    assert [(problem.code, problem.span.line, problem.span.column) for problem in problems] == [("PB006", 1, 1)]
    assert what in problems[0].message
    assert problems[0].hint
    assert (found.tools, found.sites) == ((), ())
