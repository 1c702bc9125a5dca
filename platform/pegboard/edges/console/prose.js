// An answer as paragraphs and lists, with its citations as links. A small part of Markdown, made as elements.

import { link, make } from "./dom.js";

const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|\[(\d{1,2})\]/g;
const ITEM = /^\s*(?:[-*•]|(\d{1,3})[.)、])\s*(?=\S)/;

/** Fill `target` with `answer`; `citations` are `{number, url, name}`. */
export function write(target, answer, citations) {
  const byNumber = new Map(citations.map((each, index) => [String(each.number ?? index + 1), each]));
  target.replaceChildren(...blocks(answer).map((block) => element(block, byNumber)));
}

function blocks(answer) {
  const found = [];
  for (const line of answer.split("\n")) {
    const last = found.at(-1);
    const item = line.match(ITEM);
    if (!line.trim()) found.push({ kind: "gap" });
    else if (item) {
      const kind = item[1] ? "ol" : "ul";
      const words = line.slice(item[0].length);
      if (last?.kind === kind) last.lines.push(words);
      else found.push({ kind, start: Number(item[1] ?? 1), lines: [words] });
    } else if (last?.kind === "p") last.lines.push(line);
    else found.push({ kind: "p", lines: [line] });
  }
  return found.filter((block) => block.kind !== "gap");
}

function element(block, citations) {
  if (block.kind !== "p") {
    const items = block.lines.map((line) => make("li", {}, ...inline(line, citations)));
    return make(block.kind, block.kind === "ol" ? { start: block.start } : {}, ...items);
  }
  const parts = block.lines.flatMap((line, index) => [...(index ? [make("br")] : []), ...inline(line, citations)]);
  return make("p", {}, ...parts);
}

function inline(line, citations) {
  const parts = [];
  let from = 0;
  for (const match of line.matchAll(INLINE)) {
    parts.push(line.slice(from, match.index), mark(match, citations));
    from = match.index + match[0].length;
  }
  return [...parts, line.slice(from)];
}

function mark([whole, bold, code, number], citations) {
  if (bold) return make("strong", {}, bold);
  if (code) return make("code", {}, code);
  const cited = citations.get(number);
  return cited ? link(cited.url, `[${number}]`, { className: "cite", title: cited.name ?? "" }) : whole;
}

/** The list of what an answer cites. */
export function sources(citations) {
  return citations.map((each, index) => make("li", {},
    make("span", { className: "number" }, String(each.number ?? index + 1)),
    link(each.url, each.name ?? each.url),
    make("span", { className: "host" }, host(each.url)),
  ));
}

function host(url) {
  try { return new URL(url).host; } catch { return ""; }
}
