"""From the layers of a tool to the tool: handler, schemas, limits; with the problems of each.

What a declaration gives is checked by itself (`check`), what several layers make together when the tool is put
together (`tools`).
"""

from collections.abc import Collection, Mapping, Sequence

from pegboard.catalog import placeholders, returns
from pegboard.catalog.handler import Signature
from pegboard.catalog.layers import Stack
from pegboard.catalog.named import Handlers, Loaded
from pegboard.catalog.resolve import ROOMS, Unresolved
from pegboard.catalog.schema import valid_schema
from pegboard.catalog.tool import Tool
from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.config.problems import Problem, Problems
from pegboard.config.span import Span
from pegboard.text import Json, did_you_mean


class Assembler:
    """Makes tools; reports each problem once."""

    def __init__(self, handlers: Handlers, problems: Problems) -> None:
        self._handlers = handlers
        self._problems = problems
        self._reported: set[Problem] = set()
        self.broken: set[Span] = set()
        """Declarations of tools that cannot work and were left out."""

    def check(self, tool: Declared[ToolDeclaration]) -> None:
        """Report what is wrong in what `tool` itself gives."""
        value = tool.value
        if value.handler:
            self._check_handler(tool)
        for key in ("parameters", "output"):
            schema = getattr(value, key)
            for fault in valid_schema(schema) if schema is not None else ():
                self._report("PB301", tool, tool.at(key), f"{key} of tool {value.name!r} is no JSON Schema: {fault}")
        self._check_returns(tool)
        self._check_prompt(tool)

    def tools(self, stacks: Sequence[Stack]) -> tuple[Tool, ...]:
        """Return the tools that can work, in the order of `stacks`."""
        made = (self._tool(stack) for stack in stacks)
        return tuple(tool for tool in made if tool is not None)

    def check_routing(self, stacks: Sequence[Stack], made: Collection[str], fallback: str) -> None:
        """Report the tools among those that were `made` that no question can find; the fallback needs none."""
        for stack in stacks:
            is_found = any(stack.value(key) for key in ("description", "examples", "prompt"))
            if is_found or stack.name == fallback or stack.name not in made:
                continue
            message = f"tool {stack.name!r} has neither description nor examples nor prompt: no question leads to it"
            self._report("PB306", stack.top, stack.top.at("name"), message, "Give it a description and some examples.")

    def _tool(self, stack: Stack) -> Tool | None:
        loaded = self._handlers.load(stack.value("handler") or f"{ROOMS}.{stack.name}:{stack.name}")
        if isinstance(loaded, Unresolved):
            self._without_handler(stack, given=bool(stack.value("handler")))
            return None
        loaded = self._spelled(stack, loaded)
        parameters = self._parameters(stack, loaded)
        self._compare(stack, loaded.signature, parameters, loaded.path)
        return Tool(
            name=stack.name,
            type=stack.type,
            description=stack.value("description"),
            examples={code: tuple(questions) for code, questions in stack.value("examples").items()},
            prompt=stack.value("prompt"),
            reply=returns.reply_schema(stack.value("returns"), parameters),
            parameters=parameters,
            output=stack.value("output"),
            handler=loaded.path,
            run=loaded.run,
            read_only=stack.value("read_only"),
            timeout_seconds=stack.value("call").timeout,
            origin=stack.origin,
        )

    # Handlers

    def _check_handler(self, tool: Declared[ToolDeclaration]) -> None:
        loaded = self._handlers.load(tool.value.handler)
        if isinstance(loaded, Unresolved):
            message = f"tool {tool.value.name!r}: {loaded.message}"
            self._report(loaded.code, tool, tool.at("handler"), message, loaded.hint)

    def _without_handler(self, stack: Stack, *, given: bool) -> None:
        self.broken.update(layer.tool.span for layer in stack.layers)
        if not given:
            message = f"tool {stack.name!r} has no handler, and there is no room {ROOMS}.{stack.name}"
            hint = "Give it `handler: package.module:function`."
            self._report("PB401", stack.top, stack.top.span, message, hint)

    def _spelled(self, stack: Stack, loaded: Loaded) -> Loaded:
        """Let a room take the arguments that NLWeb's declarations have for it; report those that it has no use for."""
        giver = stack.giver("parameters") or stack.giver("returns") or stack.top
        if loaded.spellings is None or not (loaded.is_nlweb or giver.dialect == "nlweb"):
            return loaded
        declared, key = self._declared(stack)
        names = {name: loaded.spellings.get(name, name) for name in declared}
        for name, own in names.items():
            if own not in loaded.signature.properties:
                names[name] = ""
                message = f"tool {stack.name!r} declares the argument {name!r}, which {loaded.path} has no use for"
                hint = did_you_mean(name, loaded.signature.properties, noun="arguments")
                self._report("PB407", giver, giver.at_key(key, name), message, hint)
        return loaded.spelled(names) if names else loaded

    # Schemas

    def _declared(self, stack: Stack) -> tuple[Collection[str], str]:
        """Return the names of the arguments that are declared, and the key that declares them."""
        if (parameters := stack.value("parameters")) is None:
            return returns.arguments_of(stack.value("returns")), "returns"
        properties = parameters.get("properties")
        return (properties if isinstance(properties, Mapping) else ()), "parameters"

    def _parameters(self, stack: Stack, loaded: Loaded) -> Mapping[str, Json]:
        signature = loaded.signature
        declared: Mapping[str, Json] | None = stack.value("parameters")
        if declared is not None:
            return declared
        arguments = returns.arguments_of(stack.value("returns"))
        if not arguments and not signature.takes_any:
            return returns.parameters_from(signature.properties, signature.required)
        if loaded.is_spelled:
            arguments |= {name: signature.properties[name] for name in signature.required - set(arguments)}
        return returns.parameters_from(arguments, signature.required or ())

    def _compare(self, stack: Stack, signature: Signature, parameters: Mapping[str, Json], path: str) -> None:
        """Report where `returns`, `parameters` and the handler's own signature disagree."""
        properties = parameters.get("properties")
        names = list(properties) if isinstance(properties, Mapping) else []
        giver = stack.giver("parameters") or stack.giver("returns") or stack.top
        key = "parameters" if stack.giver("parameters") else "returns"
        for name in () if signature.takes_any else names:
            if name not in signature.properties:
                message = f"tool {stack.name!r} declares the argument {name!r}, which {path} does not take"
                hint = did_you_mean(name, signature.properties, noun="arguments")
                self._report("PB405", giver, giver.at_key(key, name), message, hint)
        for name in sorted(signature.required - set(names)):
            message = f"tool {stack.name!r} does not declare the argument {name!r}, which {path} needs"
            self._report("PB405", giver, giver.at(key), message, f"Add {name!r} to {key}.")
        self._check_arguments(stack, names, open_=parameters.get("additionalProperties", True) is not False)

    def _check_arguments(self, stack: Stack, names: Sequence[str], *, open_: bool) -> None:
        """Report arguments of `returns` that the declared parameters lack."""
        giver = stack.giver("returns")
        if giver is None or stack.giver("parameters") is None or (open_ and not names):
            return
        for name in returns.arguments_of(stack.value("returns")):
            if name not in names:
                message = f"returns of tool {stack.name!r} holds {name!r}, which its parameters lack"
                hint = did_you_mean(name, names, noun="parameters")
                self._report("PB303", giver, giver.at_key("returns", name), message, hint)

    def _check_returns(self, tool: Declared[ToolDeclaration]) -> None:
        value = tool.value.returns
        if not value:
            return
        if returns.is_schema(value):
            for fault in valid_schema(value):
                message = f"returns of tool {tool.value.name!r} is no JSON Schema: {fault}"
                self._report("PB301", tool, tool.at("returns"), message)
        if returns.SCORE not in returns.properties_of(value):
            message = f"returns of tool {tool.value.name!r} has no `score`"
            hint = "Add `score: integer between 0 and 100`."
            self._report("PB302", tool, tool.at("returns"), message, hint)

    def _check_prompt(self, tool: Declared[ToolDeclaration]) -> None:
        prompt = tool.value.prompt
        if not prompt:
            return
        named = placeholders.variables(prompt)
        if not placeholders.QUESTION & set(named):
            message = f"the prompt of tool {tool.value.name!r} does not hold the question"
            self._report("PB304", tool, tool.at("prompt"), message, "Put {request.query} where it belongs.")
        for name in dict.fromkeys(named):
            if name not in placeholders.KNOWN:
                message = f"the prompt of tool {tool.value.name!r} holds {{{name}}}, which nothing fills"
                hint = did_you_mean(name, sorted(placeholders.KNOWN))
                self._report("PB305", tool, tool.at("prompt"), message, hint)

    def _report(self, code: str, tool: Declared[ToolDeclaration], span: Span, message: str, hint: str = "") -> None:
        found = Problems()
        found.add(code, span, message, hint=hint, dialect=tool.dialect)
        self._problems += [problem for problem in found if problem not in self._reported]
        self._reported.update(found)
