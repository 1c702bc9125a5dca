// An answer or a document as paragraphs, lists and headings, with its citations as links. A part of Markdown, made as
// elements.

import { link, make } from "./dom.js";

const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)|\[(\d{1,2})\]|(?<![\w/.])\/documents\/([0-9a-f]{16})\b/g;
const ITEM = /^\s*(?:[-*•]|(\d{1,3})[.)、])\s*(?=\S)/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;
const FENCE = /^\s*(```|~~~)/;
const HIGHEST = 2; // the page has one `h1`, and it is not here

/** Fill `target` with `answer`; `citations` are `{number, url, name}`. A heading that repeats `title` is left out. */
export function write(target, answer, citations, { title = "" } = {}) {
  const byNumber = new Map(citations.map((each, index) => [String(each.number ?? index + 1), each]));
  const found = blocks(answer);
  if (title && found[0]?.level && found[0].lines[0] === title) found.shift();
  target.replaceChildren(...found.map((block) => element(block, byNumber)));
}

function blocks(answer) {
  const found = [];
  for (const line of answer.split("\n")) {
    const last = found.at(-1);
    if (last?.kind === "pre" && last.isOpen) {
      if (FENCE.test(line)) last.isOpen = false;
      else last.lines.push(line);
    } else if (FENCE.test(line)) found.push({ kind: "pre", lines: [], isOpen: true });
    else take(line, last, found);
  }
  return found.filter((block) => block.kind !== "gap");
}

/** Take a line that stands in no fence into the last block, or open one. */
function take(line, last, found) {
  const item = line.match(ITEM);
  const heading = line.match(HEADING);
  if (!line.trim()) found.push({ kind: "gap" });
  else if (heading) found.push({ kind: `h${Math.max(heading[1].length, HIGHEST)}`, level: heading[1].length, lines: [heading[2]] });
  else if (item) {
    const kind = item[1] ? "ol" : "ul";
    const words = line.slice(item[0].length);
    if (last?.kind === kind) last.lines.push(words);
    else found.push({ kind, start: Number(item[1] ?? 1), lines: [words] });
  } else if (line.startsWith(">")) {
    const words = line.replace(/^>\s?/, "");
    if (last?.kind === "blockquote") last.lines.push(words);
    else found.push({ kind: "blockquote", lines: [words] });
  } else if (last?.kind === "p") last.lines.push(line);
  else found.push({ kind: "p", lines: [line] });
}

function element(block, citations) {
  if (block.kind === "pre") return make("pre", {}, block.lines.join("\n"));
  if (block.kind === "ul" || block.kind === "ol") {
    const items = block.lines.map((line) => make("li", {}, ...inline(line, citations)));
    return make(block.kind, block.kind === "ol" ? { start: block.start } : {}, ...items);
  }
  const parts = block.lines.flatMap((line, index) => [...(index ? [make("br")] : []), ...inline(line, citations)]);
  return make(block.kind, {}, ...parts);
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

function mark([whole, bold, code, words, url, number, kept], citations) {
  if (bold) return make("strong", {}, bold);
  if (code) return make("code", {}, code);
  if (url) return link(url, words);
  if (kept) return make("a", { href: `/console/documents.html?document=${kept}` }, whole);
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
