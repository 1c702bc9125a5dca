// Which tool was chosen, and how every other one fared.

import { $, make } from "./dom.js";
import { text } from "./words.js";

export function showDecision(decision) {
  const summary = [text(decision.decided_by), text("model", { model: modelName(decision.model) })];
  if (decision.model_calls) summary.push(`${decision.model_calls} ${text("calls")}`);
  summary.push(`${Number(decision.milliseconds ?? 0).toFixed(0)} ms`);
  $("decision").hidden = false;
  $("decision").querySelector("summary").replaceChildren(
    `${text("decision")}: `, make("b", {}, decision.tool ?? text("noTool")), ` · ${summary.join(" · ")}`,
  );
  const byScore = [...(decision.candidates ?? [])].sort((one, other) => (other.score ?? -1) - (one.score ?? -1));
  $("decision").querySelector("tbody").replaceChildren(...byScore.map((each) => row(each, decision.tool)));
}

export const modelName = (model) => (!model || model === "none" ? text("none") : model);

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
