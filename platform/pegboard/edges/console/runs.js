// The runs: all of them, or one as it goes on; it can be cancelled here, and its steps approved.

import { $, make } from "./dom.js";
import { write } from "./prose.js";
import { language, switchLanguage, text, translate, written } from "./words.js";
import { Problem, follow, json, plain, send } from "./wire.js";

const LISTED_EVERY = 3000;
const SHOWN_EVERY = 250;
const TOLD = 300;
const run = new URLSearchParams(location.search).get("run");
let all = [];
let view = null;
let drawn = "";
let isDue = false;

speak();
$("language").addEventListener("click", () => {
  switchLanguage();
  drawn = "";
  speak();
});
$("cancel").addEventListener("click", () => wish("DELETE", `/runs/${encodeURIComponent(run)}`));
$("plan").addEventListener("toggle", () => drawPlan().catch(showError));
(run ? show() : list()).catch(showError);

/** Put every word of the page into the visitor's language. */
function speak() {
  translate(document);
  document.title = `${text("runs")} · pegboard`;
  $("language").textContent = text("other");
  $("language").lang = language === "zh" ? "en" : "zh";
  if (view) draw();
  drawAll();
}

// All of them

/** List the runs, again and again while somebody looks. */
async function list() {
  $("list").hidden = false;
  for (;;) {
    if (!document.hidden) await listOnce().catch(showError);
    await new Promise((resolve) => setTimeout(resolve, LISTED_EVERY));
  }
}

async function listOnce() {
  all = await json("/runs");
  $("error").hidden = true;
  $("none").hidden = all.length > 0;
  drawAll();
}

function drawAll() {
  $("all").replaceChildren(...all.map((each) => make("tr", {},
    make("td", {}, badge(standing(each)), failed(each)),
    make("th", { scope: "row" }, make("a", { href: `?run=${encodeURIComponent(each.run)}`, lang: written(each.question) }, each.question || each.run)),
    make("td", {}, each.site),
    make("td", {}, new Date(each.created * 1000).toLocaleString(language)),
  )));
}

/** How a run stands: one that only waits for approvals needs somebody. */
const standing = (each) => (each.is_held ? "held" : each.status);

/** How many of its steps failed, of a run that came to something all the same. */
function failed({ status, steps = {} }) {
  if (!steps.failed || !["succeeded", "partly"].includes(status)) return "";
  return ` ${text("someFailed", { failed: steps.failed, all: Object.values(steps).reduce((sum, each) => sum + each, 0) })}`;
}

const badge = (state) => make("span", { className: `state ${state}` }, text(`state_${state}`));

// One of them

/** Show a run, and go along with it until it ends. */
async function show() {
  $("run").hidden = false;
  await refresh();
  for await (const event of follow(`/runs/${encodeURIComponent(run)}/events`)) {
    $("events").append(make("li", { value: event.seq }, told(event)));
    if ($("events").children.length > TOLD) $("events").firstChild.remove();
    refreshSoon();
  }
  await refresh();
}

/** Look again in a moment: events come in bursts. */
function refreshSoon() {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    refresh().catch(showError);
  }, SHOWN_EVERY);
}

async function refresh() {
  view = await json(`/runs/${encodeURIComponent(run)}`);
  draw();
  await drawPlan();
}

/** Draw the run; what has not changed is left alone, so that a button keeps its place under the finger. */
function draw() {
  const now = JSON.stringify([view, language]);
  if (now === drawn) return;
  drawn = now;
  $("asked").textContent = view.question || view.run;
  $("asked").lang = written(view.question);
  $("status").replaceChildren(badge(standing(view)), `${failed(view)} ${view.site} · ${new Date(view.created * 1000).toLocaleString(language)} · ${view.run}`);
  $("tainted").hidden = !view.tainted;
  $("tainted").textContent = view.tainted ? text("tainted", { by: view.tainted }) : "";
  $("cancel").hidden = view.status !== "running";
  $("nodes").replaceChildren(...view.nodes.map(row));
  if (view.answer?.text) {
    $("answer").lang = written(view.answer.text);
    write($("answer"), view.answer.text, view.answer.citations ?? []);
  }
}

function row(node) {
  return make("tr", {},
    make("th", { scope: "row" }, node.id),
    make("td", {}, node.tool),
    make("td", {}, badge(node.state)),
    make("td", {}, node.reason ?? "", ...waiting(node.id).flatMap(choice)),
  );
}

/** The approvals that a step waits for, in runs inside of it too. */
function waiting(node) {
  const within = `${view.run}.${node}.`;
  return (view.approvals ?? []).filter((each) => each.run.startsWith(within) || (each.run === view.run && each.node === node));
}

/** What somebody has to decide: what would be called with, and two buttons. */
function choice({ run: owner, node, tool, arguments: given, reason, tool_is: since }) {
  const path = `/runs/${encodeURIComponent(owner)}/nodes/${encodeURIComponent(node)}/approve`;
  const inside = owner === view.run ? null : make("p", {}, `${node} · ${tool} · ${text("state_held")}. ${reason}`);
  const edited = since ? make("p", {}, text(`tool_${since}`, { tool })) : null;
  const button = (key, granted) => {
    const made = make("button", { type: "button", className: granted ? "plain strong" : "plain" }, text(key));
    made.setAttribute("aria-label", `${text(key)}: ${node}`);
    made.addEventListener("click", () => wish("POST", path, granted && since ? { granted, changed: "keep" } : { granted }));
    return made;
  };
  const shown = make("pre", {}, JSON.stringify(given, null, 2));
  return [inside, edited, shown, make("p", { className: "choice" }, button("approve", true), button("deny", false))];
}

async function wish(method, path, body) {
  for (const each of document.querySelectorAll("button.plain")) each.disabled = true;
  try {
    $("error").hidden = true;
    await send(method, path, body);
  } catch (error) {
    showError(error);
  } finally {
    for (const each of document.querySelectorAll("button.plain")) each.disabled = false;
    drawn = "";
    refreshSoon();
  }
}

async function drawPlan() {
  if (!$("plan").open) return;
  $("plan").querySelector("pre").textContent = await plain(`/runs/${encodeURIComponent(run)}/plan?format=text&columns=90`);
}

/** An event in a line; of what a step tells meanwhile, its words. */
function told(event) {
  const inner = event.told?.message ?? event.told?.kind ?? "";
  const state = event.state ?? event.status;
  const what = [event.kind.replaceAll("_", " "), event.node, event.tool, event.name, event.race];
  return [...what, state && text(`state_${state}`), event.reason, inner].filter(Boolean).join(" · ");
}

function showError(error) {
  $("error").hidden = false;
  $("error").textContent = error instanceof Problem ? error.message : text("lost");
  if (!(error instanceof Problem)) console.error(error);
}
