// The page: choose a site, ask, and see the answer come.

import { hasModel, modelWords, showDecision } from "./decision.js";
import { $, make } from "./dom.js";
import { sources, write } from "./prose.js";
import { card } from "./results.js";
import { language, switchLanguage, text, translate, written } from "./words.js";
import { Problem, ask, json, look } from "./wire.js";

const EXAMPLES = 6;
const EARLIER = 6;
const sites = new Map();
let model = "";
let state = null;
let asking = null;
let shown = newReply("");

speak();
$("language").addEventListener("click", () => {
  switchLanguage();
  speak();
  if (chosenSite()) choose(chosenSite()).catch(showError);
});
$("ask").addEventListener("submit", submit);
$("question").addEventListener("input", grow);
$("question").addEventListener("keydown", (event) => {
  const isSend = event.key === "Enter" && !event.shiftKey && !event.isComposing;
  if (!isSend) return;
  event.preventDefault();
  if (!asking) $("ask").requestSubmit();
});
document.addEventListener("keydown", (event) => event.key === "Escape" && asking?.abort());
document.addEventListener("visibilitychange", () => document.hidden || showState().catch(showError));
start().catch(showError);

async function start() {
  const [listed, ready] = await Promise.all([json("/sites"), showState()]);
  model = ready.model;
  $("model").textContent = modelWords(model);
  for (const site of listed.details) sites.set(site.name, { ...site, earlier: [] });
  if (!sites.size) throw new Problem(text("noSites"));
  const wanted = new URLSearchParams(location.search);
  const all = [...sites.values()];
  const first = sites.get(wanted.get("site")) ?? all.find((site) => site.default) ?? all[0];
  $("sites").append(...all.map((site) => siteChoice(site, site === first)));
  const question = (wanted.get("q") ?? "").trim();
  $("question").value = question;
  grow();
  if (wanted.get("site") && first.name !== wanted.get("site")) showError(new Problem(text("noSite", { site: wanted.get("site") })));
  else if (question) run(question, look);
  await choose(first.name);
}

/** Say whether an edit of the configuration is not served, and which of its places to look at. */
async function showState() {
  const ready = await json("/readyz");
  state = ready.config;
  speakOfState();
  return ready;
}

function speakOfState() {
  $("stale").hidden = !state?.refused;
  if (!state?.refused) return;
  const { first, errors } = state.refused;
  $("stale").textContent = text("stale", { first, errors, since: new Date(state.since).toLocaleString(language) });
}

/** Put every word of the page itself into the visitor's language, those of an answer that is shown too. */
function speak() {
  translate(document);
  $("question").placeholder = text("placeholder");
  $("examples").ariaLabel = text("examples");
  $("language").textContent = text("other");
  $("language").lang = language === "zh" ? "en" : "zh";
  if (model) $("model").textContent = modelWords(model);
  speakOfState();
  setBusy(Boolean(asking));
  setStatus(...shown.status);
  if (shown.decision) showDecision(shown.decision, model);
  if (shown.completed) showCompleted(shown.completed);
  $("results").replaceChildren(...shown.results.map(card));
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
  site.offers ??= (await json(`/tools?site=${encodeURIComponent(name)}`)).tools;
  if (chosenSite() === name) $("examples").replaceChildren(...examplesOf(site.offers).map(chip));
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

/** Ask; the address says what was asked, so that it can be reloaded and shared. `by` is a link's question's `look`. */
async function run(question, by = ask) {
  const site = sites.get(chosenSite());
  const mine = new AbortController();
  asking = mine;
  const reply = newReply(question);
  clear(reply);
  setAddress(site.name, question);
  const prev = hasModel(model) && by === ask ? site.earlier.slice(-EARLIER) : [];
  try {
    for await (const message of by({ query: question, site: site.name, ...(prev.length && { prev }) }, mine.signal)) {
      if (asking !== mine) return;
      show(message, reply);
    }
    setStatus(reply.words || reply.results.length || reply.failed ? "" : "nothing");
    if (!reply.failed) site.earlier.push(reply.completed || question);
    if (reply.completed) setAddress(site.name, reply.completed);
  } catch (error) {
    if (asking !== mine) return;
    if (error.name === "AbortError") setStatus("stopped");
    else showError(error);
  } finally {
    if (asking === mine) {
      asking = null;
      setBusy(false);
    }
  }
}

function newReply(question) {
  return { question, completed: "", decision: null, words: "", citations: [], results: [], failed: false, status: ["", {}] };
}

function setAddress(site, q) {
  history.replaceState(null, "", `?${new URLSearchParams({ site, q })}`);
}

function clear(reply) {
  shown = reply;
  $("reply").hidden = false;
  $("asked").textContent = reply.question;
  $("asked").lang = written(reply.question);
  for (const id of ["understood", "error", "decision", "results-title"]) $(id).hidden = true;
  for (const id of ["answer", "sources", "notices", "results"]) $(id).replaceChildren();
  setBusy(true);
  setStatus("thinking");
}

function setBusy(isBusy) {
  $("go").textContent = text(isBusy ? "stop" : "ask");
  $("go").classList.toggle("stop", isBusy);
  $("status").classList.toggle("busy", isBusy);
  $("answer").ariaBusy = String(isBusy);
}

function setStatus(key, values = {}) {
  shown.status = [key, values];
  $("status").textContent = key && text(key, values);
}

/** Say how a follow-up question was understood. */
function showCompleted(question) {
  $("understood").hidden = false;
  $("understood").textContent = text("understood", { question });
}

function show(message, reply) {
  switch (message.message_type) {
    case "tool_selection":
      reply.decision = message.decision;
      showDecision(reply.decision, model);
      setStatus("running", { tool: message.selected_tool ?? text("noTool") });
      break;
    case "decontextualized_query":
      reply.completed = message.decontextualized_query;
      showCompleted(reply.completed);
      break;
    case "result":
      reply.results.push(...message.content);
      $("results-title").hidden = false;
      $("results").append(...message.content.map(card));
      break;
    case "answer_piece":
      setStatus("writing");
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
