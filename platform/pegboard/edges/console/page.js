// The page: choose a site, ask, and see the answer come.

import { showDecision, modelName } from "./decision.js";
import { $, make } from "./dom.js";
import { sources, write } from "./prose.js";
import { card } from "./results.js";
import { language, text, translate, written } from "./words.js";
import { Problem, ask, json } from "./wire.js";

const EXAMPLES = 6;
const sites = new Map();
let asking = null;

translate(document);
$("question").placeholder = text("placeholder");
$("examples").ariaLabel = text("examples");
$("ask").addEventListener("submit", submit);
$("question").addEventListener("input", grow);
$("question").addEventListener("keydown", (event) => {
  const isSend = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (!isSend) return;
  event.preventDefault();
  if (!asking) $("ask").requestSubmit();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && asking?.abort());
start().catch(showError);

async function start() {
  const [listed, ready] = await Promise.all([json("/sites"), json("/readyz")]);
  $("model").textContent = text("model", { model: modelName(ready.model) });
  for (const site of listed.details) sites.set(site.name, site);
  if (!sites.size) throw new Problem(text("noSites"));
  const wanted = new URLSearchParams(location.search);
  const first = sites.get(wanted.get("site")) ?? listed.details.find((site) => site.default) ?? listed.details[0];
  $("sites").append(...[...sites.values()].map((site) => siteChoice(site, site === first)));
  $("question").value = wanted.get("q") ?? "";
  grow();
  await choose(first.name);
}

function siteChoice(site, checked) {
  const input = make("input", { type: "radio", name: "site", value: site.name, checked });
  input.addEventListener("change", () => choose(site.name).catch(showError));
  return make("label", {}, input, make("span", {}, site.name));
}

async function choose(name) {
  const site = sites.get(name);
  $("purpose").textContent = site.description;
  $("purpose").lang = written(site.description);
  site.examples ??= examplesOf((await json(`/tools?site=${encodeURIComponent(name)}`)).tools);
  if (chosenSite() === name) $("examples").replaceChildren(...site.examples.map(chip));
}

/** One example of each tool in the visitor's language, then second ones, until there are enough. */
function examplesOf(tools) {
  const each = tools.map(({ examples }) => examples[language] ?? examples[""] ?? Object.values(examples)[0] ?? []);
  const rounds = Math.max(0, ...each.map((questions) => questions.length));
  const inTurn = Array.from({ length: rounds }, (_, round) => each.map((questions) => questions[round])).flat();
  return [...new Set(inTurn.filter((question) => question && !question.includes("{")))].slice(0, EXAMPLES);
}

function chip(question) {
  const button = make("button", { type: "button", lang: written(question) }, question);
  button.addEventListener("click", () => {
    $("question").value = question;
    grow();
    asking?.abort();
    run(question);
  });
  return button;
}

const chosenSite = () => $("sites").querySelector("input:checked")?.value;

function submit(event) {
  event.preventDefault();
  const question = $("question").value.trim();
  if (asking) asking.abort();
  else if (question) run(question);
  else $("question").focus();
}

async function run(question) {
  const site = chosenSite();
  const mine = new AbortController();
  asking = mine;
  clear(question);
  history.replaceState(null, "", `?${new URLSearchParams({ site, q: question })}`);
  const reply = { words: "", citations: [], count: 0, failed: false };
  try {
    for await (const message of ask({ query: question, site }, mine.signal)) {
      if (asking !== mine) return;
      show(message, reply);
    }
    setStatus(reply.words || reply.count || reply.failed ? "" : text("nothing"));
  } catch (error) {
    if (asking !== mine) return;
    if (error.name === "AbortError") setStatus(text("stopped"));
    else showError(error);
  } finally {
    if (asking === mine) {
      asking = null;
      setBusy(false);
    }
  }
}

function clear(question) {
  $("reply").hidden = false;
  $("asked").textContent = question;
  $("asked").lang = written(question);
  $("error").hidden = true;
  $("decision").hidden = true;
  $("results-title").hidden = true;
  for (const id of ["answer", "sources", "notices", "results"]) $(id).replaceChildren();
  setBusy(true);
  setStatus(text("thinking"));
}

function setBusy(isBusy) {
  $("go").textContent = text(isBusy ? "stop" : "ask");
  $("go").classList.toggle("stop", isBusy);
  $("status").classList.toggle("busy", isBusy);
  $("answer").ariaBusy = String(isBusy);
}

function setStatus(words) {
  $("status").textContent = words;
}

function show(message, reply) {
  switch (message.message_type) {
    case "tool_selection":
      showDecision(message.decision);
      setStatus(text("running", { tool: message.selected_tool ?? text("noTool") }));
      break;
    case "result":
      reply.count += message.content.length;
      $("results-title").hidden = false;
      $("results").append(...message.content.map(card));
      break;
    case "answer_piece":
      setStatus(text("writing"));
      reply.words += message.text;
      writeAnswer(reply);
      break;
    case "nlws":
      reply.words = message.answer ?? reply.words;
      reply.citations = message.citations ?? [];
      writeAnswer(reply);
      $("sources").replaceChildren(...sources(reply.citations));
      break;
    case "notice":
      $("notices").append(make("li", {}, message.content));
      break;
    case "error":
      reply.failed = true;
      showError(new Problem(message.content));
      break;
  }
}

function writeAnswer({ words, citations }) {
  $("answer").lang = written(words);
  write($("answer"), words, citations);
}

function showError(error) {
  $("reply").hidden = false;
  setStatus("");
  $("error").hidden = false;
  $("error").textContent = error instanceof Problem ? error.message : text("lost");
  if (!(error instanceof Problem)) console.error(error);
}

function grow() {
  const box = $("question");
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}
