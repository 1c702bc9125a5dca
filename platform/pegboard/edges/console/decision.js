// Which tool was chosen, and how every other one fared.

import { $, make } from "./dom.js";
import { text } from "./words.js";

/** Show `decision`; `model` is the one that the server has. */
export function showDecision(decision, model) {
  const summary = [text(decision.decided_by), scorer(decision.model, model)];
  if (decision.model_calls) summary.push(`${decision.model_calls} ${text("calls")}`);
  summary.push(`${Number(decision.milliseconds ?? 0).toFixed(0)} ms`);
  $("decision").hidden = false;
  $("decision").querySelector("summary").replaceChildren(
    `${text("decision")}: `, make("b", {}, decision.tool ?? text("noTool")), ` · ${summary.join(" · ")}`,
  );
  const byScore = [...(decision.candidates ?? [])].sort((one, other) => (other.score ?? -1) - (one.score ?? -1));
  $("decision").querySelector("tbody").replaceChildren(...byScore.map((each) => row(each, decision.tool)));
}

export const hasModel = (model) => Boolean(model) && model !== "none";

/** Which model a server has, in words. */
export const modelWords = (model) => (hasModel(model) ? text("model", { model }) : text("noModel"));

/** Who scored, in words: a model, or the scorer that is built in. */
function scorer(by, model) {
  if (!hasModel(model)) return text("noModel");
  return /^embedded \(/.test(by) ? text("embedded") : text("model", { model: by });
}

function row({ tool, score, reason }, chosen) {
  return make("tr", { className: tool === chosen ? "chosen" : "" },
    make("th", { scope: "row" }, tool),
    make("td", { className: "score" }, ...(score === null || score === undefined ? [text("unscored")] : [bar(score), score.toFixed(0)])),
    make("td", { className: "reason" }, reason ?? ""),
  );
}

function bar(score) {
  const filled = make("i");
  filled.style.width = `${Math.min(Math.max(score, 0), 100)}%`;
  return make("span", { className: "bar", ariaHidden: "true" }, filled);
}
