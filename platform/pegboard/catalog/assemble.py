"""From the layers of a tool to the tool: handler, schemas, limits; with the problems of each.

What a declaration gives is checked by itself (`checks`); here is found what several layers make together, and what
the handler says to it.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence

from pegboard.catalog.checks.effects import effects_of
from pegboard.catalog.checks.limits import check_calling
from pegboard.catalog.checks.speculation import check_speculation
from pegboard.catalog.findings import Findings
from pegboard.catalog.loading.handler import Signature
from pegboard.catalog.loading.kinds import BLOCKS, Making, Told
from pegboard.catalog.loading.named import Handlers, Loaded
from pegboard.catalog.loading.resolve import Unresolved, room_names
from pegboard.catalog.rooms import ROOMS, WRITING, only_reads
from pegboard.catalog.schema import returns
from pegboard.catalog.schema.agreement import disagreement
from pegboard.catalog.tool import RUNNING_OTHERS, Overridden, Tool
from pegboard.catalog.toolsets.calls import Calling, Calls, calling, written
from pegboard.catalog.toolsets.layers import Stack, inner_keys
from pegboard.config.declarations import Declared, SiteDeclaration, ToolDeclaration
from pegboard.config.span import Span
from pegboard.text import Json, to_json


class Assembler:
    """Makes tools, each once however many sites share it."""

    def __init__(self, handlers: Handlers, making: Making, calls: Calls, findings: Findings) -> None:
        self._handlers = handlers
        self._making = making
        self._calls = calls
        self._findings = findings
        self._tools: dict[tuple[int, ...], tuple[Stack, Tool | None]] = {}
        self._toolsets: dict[tuple[Tool, ...], tuple[Tool, ...]] = {}
        self._made: dict[tuple[tuple[Stack, ...], int], tuple[Tool, ...]] = {}
        self._silent: dict[tuple[Stack, ...], tuple[Stack, ...]] = {}
        self.broken: set[Span] = set()
        """Declarations of tools that cannot work and were left out."""

    def check(self, tool: Declared[ToolDeclaration]) -> None:
        """Report a handler that `tool` itself gives and that cannot be had."""
        if not tool.value.handler:
            return
        loaded = self._handlers.load(tool.value.handler)
        if isinstance(loaded, Unresolved):
            message = f"tool {tool.value.name!r}: {loaded.message}"
            self._report(loaded.code, tool, tool.at("handler"), message, loaded.hint)

    def tools(self, stacks: tuple[Stack, ...], site: Declared[SiteDeclaration] | None = None) -> tuple[Tool, ...]:
        """Return the tools that can work, in the order of `stacks`; sites of the same tools get the same tuple."""
        calling = site if site is not None and site.gives("call") else None
        key = (stacks, id(calling) if calling else 0)
        if key not in self._made:
            made = (self._shared(stack, calling) for stack in stacks)
            tools = tuple(tool for tool in made if tool is not None)
            self._made[key] = self._toolsets.setdefault(tools, tools)
        return self._made[key]

    def check_routing(self, stacks: tuple[Stack, ...], made: Collection[str], fallback: str) -> None:
        """Report the tools among those that were `made` that no question can find; the fallback needs none."""
        for stack in self._silent_among(stacks):
            if stack.name == fallback or stack.name not in made:
                continue
            message = f"tool {stack.name!r} has neither description nor examples nor prompt: no question leads to it"
            self._report("PB306", stack.top, stack.top.at("name"), message, "Give it a description and some examples.")

    def _silent_among(self, stacks: tuple[Stack, ...]) -> tuple[Stack, ...]:
        if stacks not in self._silent:
            telling = ("description", "examples", "prompt")
            self._silent[stacks] = tuple(stack for stack in stacks if not any(stack.value(key) for key in telling))
        return self._silent[stacks]

    def _shared(self, stack: Stack, site: Declared[SiteDeclaration] | None) -> Tool | None:
        """Return the tool of `stack`; the same declarations on one another make the same tool."""
        key = (id(site) if site else 0, *(id(layer.tool) for layer in (*stack.replaced, *stack.layers)))
        if key not in self._tools:
            self._tools[key] = (stack, self._tool(stack, site))  # the stack keeps what the key names alive
        return self._tools[key][1]

    def _tool(self, stack: Stack, site: Declared[SiteDeclaration] | None) -> Tool | None:
        handler = stack.value("handler") or self._implied(stack)
        loaded = self._handlers.load(handler) if handler else None
        if loaded is None or isinstance(loaded, Unresolved):
            self._without_handler(stack, given=bool(stack.value("handler")))
            return None
        made = self._made_of(stack, loaded)
        if made is None:
            self.broken.update(layer.tool.span for layer in stack.layers)
            return None
        loaded = self._spelled(stack, made)
        parameters = self._parameters(stack, loaded)
        self._compare(stack, loaded.signature, parameters, loaded.path)
        check_speculation(stack, parameters, self._findings)
        read_only = _is_read_only(stack, loaded)
        blocks = self._calls.of(stack, _source(stack), site)
        runs_others = loaded.path.startswith(RUNNING_OTHERS)
        called = calling(blocks, name=stack.name, read_only=read_only, runs_others=runs_others)
        check_calling(stack, called, read_only=read_only, parameters=parameters, findings=self._findings)
        spec = self._spec(stack, loaded.path)
        return Tool(
            name=stack.name,
            type=stack.type,
            description=stack.value("description") or _summary(loaded),
            tags=tuple(stack.value("tags")),
            examples={code: tuple(questions) for code, questions in stack.value("examples").items()},
            prompt=stack.value("prompt"),
            reply=returns.reply_schema(stack.value("returns"), _shown_of(loaded, parameters) or parameters),
            parameters=parameters,
            output=_formal(stack.value("output")) or (loaded.made.output if loaded.made else None),
            pinned=stack.value("pinned"),
            place=stack.value("place"),
            speculate=stack.value("speculate"),
            keep=stack.value("keep"),
            handler=loaded.path,
            run=loaded.run,
            block=next((stack.value(block) for block in _blocks(stack)), None),
            kind=loaded.made,
            read_only=read_only,
            effects=effects_of(stack, loaded.path, loaded.made, read_only=read_only, findings=self._findings),
            limits=called.limits,
            identity=spec if called.limits.is_kept else "",
            spec=spec,
            origin={**stack.origin, **called.origin},
            overridden=(*_overridden(stack), *_overridden_calls(stack, called)),
            smaller=_shown_of(loaded, parameters),
        )

    def _spec(self, stack: Stack, handler: str) -> str:
        """Return a hash of name, type, and all that says what runs; its limits are kept by it."""
        said = [stack.name, stack.type, handler]
        said += [stack.value(block).model_dump_json() for block in _blocks(stack)]
        if (source := self._making.services.get(_source(stack) or "")) is not None:
            said.append(source.value.model_dump_json(exclude={"call", "description"}))
        return hashlib.sha256(to_json(said).encode()).hexdigest()

    # Handlers

    def _implied(self, stack: Stack) -> str:
        """Return the handler of a tool that names none: that of its block, or the room of its name; empty for none."""
        blocks = _blocks(stack)
        if blocks:
            return BLOCKS[blocks[-1]]
        return f"{ROOMS}.{stack.name}:{stack.name}" if stack.name in room_names() else ""

    def _made_of(self, stack: Stack, loaded: Loaded) -> Loaded | None:
        """Return `loaded` as it runs this tool: a kind is made of its block; None, and told, where it cannot be."""
        blocks = _blocks(stack)
        wanted = next((block for block, path in BLOCKS.items() if path == loaded.path), "")
        strange = [block for block in blocks if block != wanted]
        if strange:
            giver = stack.giver(strange[0]) or stack.top
            others = f"it has the block `{wanted}` too" if wanted in blocks else f"its handler is {loaded.path}"
            message = f"tool {stack.name!r} has the block `{strange[0]}`, and {others}"
            self._report("PB411", giver, giver.at_key(strange[0]), message, "Keep one of the two.")
            return None
        if not wanted:
            return self._isolated(stack, loaded)
        if not blocks:
            giver = stack.giver("handler") or stack.top
            message = f"tool {stack.name!r} names {loaded.path}, and has no block `{wanted}`"
            self._report("PB411", giver, giver.at("handler"), message, f"Say under `{wanted}` what it shall do.")
            return None
        giver = stack.giver(wanted) or stack.top
        told = Told(stack.value("description"), _formal(stack.value("parameters")), _formal(stack.value("output")))
        kind = self._making.kind(stack.name, told, giver, wanted)
        return loaded.made_of(kind) if kind is not None else None

    def _isolated(self, stack: Stack, loaded: Loaded) -> Loaded | None:
        """Return `loaded` as it runs where the block `python` says; None, and told, where it cannot."""
        giver = stack.giver("python")
        said = stack.value("python")
        if giver is None or said is None or said.isolate == "thread":
            return loaded
        made = self._handlers.isolated(loaded, said.workers)
        if made is None:
            message = f"tool {stack.name!r} runs {loaded.path}, which cannot run in a process of its own"
            hint = "Remove `isolate`: it is for marked functions and classes of your own."
            self._report("PB411", giver, giver.at("python", "isolate"), message, hint)
        return made

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
                hint = self._findings.near(name, loaded.signature.properties, noun="arguments")
                self._report("PB407", giver, giver.at_key(key, name), message, hint)
        return loaded.spelled(names) if names else loaded

    # Schemas

    def _declared(self, stack: Stack) -> tuple[Collection[str], str]:
        """Return the names of the arguments that are declared, and the key that declares them."""
        if (parameters := _formal(stack.value("parameters"))) is None:
            return returns.arguments_of(stack.value("returns")), "returns"
        properties = parameters.get("properties")
        return (properties if isinstance(properties, Mapping) else ()), "parameters"

    def _parameters(self, stack: Stack, loaded: Loaded) -> Mapping[str, Json]:
        signature = loaded.signature
        declared: Mapping[str, Json] | None = stack.value("parameters")
        if declared is not None and returns.is_short(declared):
            return self._short(declared, signature)
        if declared is not None:
            return declared
        arguments = returns.arguments_of(stack.value("returns"))
        if not arguments and loaded.made is not None:
            return loaded.made.parameters
        if not arguments and not signature.takes_any:
            return returns.parameters_from(signature.properties, signature.required, signature.definitions)
        if loaded.is_spelled:
            arguments |= {name: signature.properties[name] for name in signature.required - set(arguments)}
        if not returns.is_schema(stack.value("returns")):
            arguments = returns.completed(arguments, signature.properties)
        return returns.parameters_from(arguments, signature.required, signature.definitions)

    def _short(self, declared: Mapping[str, Json], signature: Signature) -> Mapping[str, Json]:
        """Return the schema of arguments that are described: of the handler's types where a text says none."""
        schema = returns.formal(declared, optional=frozenset(signature.properties) - signature.required)
        properties, required = schema["properties"], schema["required"]
        assert isinstance(properties, Mapping)
        assert isinstance(required, list)
        completed = returns.completed(properties, signature.properties)
        return returns.parameters_from(completed, [str(name) for name in required], signature.definitions)

    def _compare(self, stack: Stack, signature: Signature, parameters: Mapping[str, Json], path: str) -> None:
        """Report where `returns`, `parameters` and the handler's own signature disagree."""
        properties = parameters.get("properties")
        names = list(properties) if isinstance(properties, Mapping) else []
        giver = stack.giver("parameters") or stack.giver("returns") or stack.top
        key = "parameters" if stack.giver("parameters") else "returns"
        for name in () if signature.takes_any else names:
            if name not in signature.properties:
                message = f"tool {stack.name!r} declares the argument {name!r}, which {path} does not take"
                hint = self._findings.near(name, signature.properties, noun="arguments")
                self._report("PB405", giver, giver.at_key(key, *self._inside(stack, key), name), message, hint)
        self._compare_types(stack, signature, properties if isinstance(properties, Mapping) else {}, path)
        for name in sorted(signature.required - set(names)):
            message = f"tool {stack.name!r} does not declare the argument {name!r}, which {path} needs"
            self._report("PB405", giver, giver.at(key), message, f"Add {name!r} to {key}.")
        self._check_arguments(stack, names, open_=parameters.get("additionalProperties", True) is not False)

    def _inside(self, stack: Stack, key: str) -> tuple[str, ...]:
        """Return where the arguments lie in what declares them."""
        declared = stack.value(key)
        is_formal = not returns.is_short(declared) if key == "parameters" else returns.is_schema(declared)
        return ("properties",) if declared and is_formal else ()

    def _compare_types(self, stack: Stack, signature: Signature, properties: Mapping[str, Json], path: str) -> None:
        """Report arguments that are declared with a type which the handler's annotation rules out."""
        giver = stack.giver("parameters") or stack.giver("returns") or stack.top
        key = "parameters" if stack.giver("parameters") else "returns"
        inside = self._inside(stack, key)
        for name, declared in properties.items():
            if (types := disagreement(declared, signature.properties.get(name, {}))) is not None:
                message = f"tool {stack.name!r} declares {name!r} as {types[0]}, and {path} takes {types[1]}"
                place = giver.at(key, *inside, name)
                self._report("PB405", giver, place, message, "Declare the type that the handler's annotation says.")

    def _check_arguments(self, stack: Stack, names: Sequence[str], *, open_: bool) -> None:
        """Report arguments of `returns` that the declared parameters lack."""
        giver = stack.giver("returns")
        if giver is None or stack.giver("parameters") is None or (open_ and not names):
            return
        for name in returns.arguments_of(stack.value("returns")):
            if name not in names:
                message = f"returns of tool {stack.name!r} holds {name!r}, which its parameters lack"
                hint = self._findings.near(name, names, noun="parameters")
                self._report("PB303", giver, giver.at_key("returns", name), message, hint)

    def _report(self, code: str, tool: Declared[ToolDeclaration], span: Span, message: str, hint: str = "") -> None:
        self._findings.add(code, span, message, hint=hint, dialect=tool.dialect)


def _formal(declared: Mapping[str, Json] | None) -> Mapping[str, Json] | None:
    return None if declared is None else returns.formal(declared)


def _summary(loaded: Loaded) -> str:
    """Return what the docstring of a site owner's handler says; those of our rooms are for whoever mends a room."""
    return "" if loaded.path.startswith(f"{ROOMS}.") else loaded.signature.summary


def _shown_of(loaded: Loaded, parameters: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """Return what a model is shown of the parameters where that is less than all of it."""
    made = loaded.made
    is_own = made is not None and made.parameters is parameters
    return made.shown if made is not None and is_own and made.shown is not parameters else None


def _blocks(stack: Stack) -> list[str]:
    return [block for block in BLOCKS if stack.value(block) is not None]


def _source(stack: Stack) -> str | None:
    """Return the source that the tool's block names."""
    return next((getattr(stack.value(block), "source", None) for block in _blocks(stack)), None)


def _is_read_only(stack: Stack, loaded: Loaded) -> bool:
    """Tell whether a call changes nothing: NLWeb's form cannot say so, and of our own rooms it is known."""
    if loaded.path in WRITING:
        return False
    if loaded.made is not None and stack.giver("read_only") is None:
        return loaded.made.is_read_only
    by_nlweb = (stack.giver("handler") or stack.top).dialect == "nlweb"
    is_said = stack.giver("read_only") is not None or not by_nlweb
    return bool(stack.value("read_only")) if is_said else only_reads(loaded.path)


def _overridden(stack: Stack) -> tuple[Overridden, ...]:
    found: list[Overridden] = []
    for key, tool in stack.overridden:
        value, inside = _shown(getattr(tool.value, key)), inner_keys(getattr(tool.value, key))
        if inside and isinstance(value, Mapping):
            found += [Overridden(f"{key}.{inner}", value[inner], tool.at(key, inner)) for inner in inside]
        else:
            found.append(Overridden(key, value, tool.at(key)))
    return tuple(found)


def _overridden_calls(stack: Stack, called: Calling) -> Iterator[Overridden]:
    for key, block in called.overridden:
        yield Overridden(f"call.{key}", written(block.value, key), block.at(key))
    for layer in reversed(stack.replaced):
        given, value = layer.tool, layer.tool.value.call
        for key in sorted(value.model_fields_set) if given.gives("call") else ():
            yield Overridden(f"call.{key}", written(value, key), given.at("call", key))


def _shown(value: object) -> Json:
    """Return the value of a field as a document has it."""
    if isinstance(value, Mapping) and list(value) == [""]:
        return value[""]  # type: ignore[no-any-return]  # a plain list of examples
    return value  # type: ignore[return-value]  # read from a document: JSON
