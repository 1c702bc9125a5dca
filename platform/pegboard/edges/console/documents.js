// The documents that tools have written: all of them, or one, in one of its versions.

import { $, make } from "./dom.js";
import { sources, write } from "./prose.js";
import { language, switchLanguage, text, translate, written } from "./words.js";
import { Problem, json, plain } from "./wire.js";

const asked = new URLSearchParams(location.search);
const id = asked.get("document");
let listing = null;
let shown = null;
let download = "";

speak();
$("language").addEventListener("click", () => {
  switchLanguage();
  speak();
});
(id ? show() : list()).catch(showError);

/** Put every word of the page into the visitor's language. */
function speak() {
  translate(document);
  document.title = `${shown?.title ?? text("documents")} · pegboard`;
  $("language").textContent = text("other");
  $("language").lang = language === "zh" ? "en" : "zh";
  if (listing) drawAll();
  if (shown) draw();
}

async function list() {
  listing = await json("/documents");
  $("list").hidden = false;
  drawAll();
}

function drawAll() {
  const { documents, total } = listing;
  $("none").hidden = total > 0;
  $("more").hidden = documents.length === total;
  $("more").textContent = text("latestOf", { count: documents.length, total });
  $("all").replaceChildren(...documents.map((each) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: address(each.id), lang: written(each.title) }, each.title)),
    make("td", {}, each.site),
    make("td", {}, String(each.version)),
    make("td", {}, when(each.updated)),
  )));
}

async function show() {
  const path = `/documents/${encodeURIComponent(id)}`;
  const version = asked.has("version") ? `?version=${encodeURIComponent(asked.get("version"))}` : "";
  shown = await json(path + version);
  const markdown = await plain(path + version, "text/markdown");
  URL.revokeObjectURL(download);
  download = URL.createObjectURL(new Blob([markdown], { type: "text/markdown" }));
  $("document").hidden = false;
  speak();
}

function draw() {
  $("title").textContent = shown.title;
  $("document").lang = shown.language;
  const run = shown.run && make("a", { href: `/console/runs.html?run=${encodeURIComponent(shown.run)}` }, text("itsRun"));
  $("status").replaceChildren(`${shown.site} · ${when(shown.updated)} · `, ...versions(), ...(run ? [" · ", run] : []));
  const citations = shown.sources.map((each, index) => ({ number: index + 1, ...each }));
  write($("answer"), shown.text ?? "", citations, { title: shown.title });
  $("sources").replaceChildren(...sources(citations));
  $("download").href = download;
  $("download").download = `${shown.id}.md`;
}

/** Which version this is, with the way to its neighbours. */
function versions() {
  const to = (version, words) => make("a", { href: `${address(shown.id)}&version=${version}` }, words);
  const earlier = shown.version > 1 ? [" ", to(shown.version - 1, text("earlier"))] : [];
  const later = shown.version < shown.latest ? [" ", to(shown.version + 1, text("later"))] : [];
  return [text("versionOf", { version: shown.version, latest: shown.latest }), ...earlier, ...later];
}

const address = (which) => `/console/documents.html?document=${encodeURIComponent(which)}`;

const when = (seconds) => new Date(seconds * 1000).toLocaleString(language);

function showError(error) {
  $("error").hidden = false;
  $("error").textContent = error instanceof Problem ? error.message : text("lost");
  if (!(error instanceof Problem)) console.error(error);
}
