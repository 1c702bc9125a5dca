// Speak to the server: JSON, and NLWeb's stream of messages.

/** What the server says is wrong. */
export class Problem extends Error {}

export async function json(path) {
  return (await asked(path, { headers: { Accept: "application/json" } })).json();
}

export async function plain(path, type = "text/plain") {
  return (await asked(path, { headers: { Accept: type } })).text();
}

/** Let the server do something. */
export async function send(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await asked(path, { method, ...(body && { headers, body: JSON.stringify(body) }) })).json();
}

async function asked(path, options) {
  const response = await fetch(path, options);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** Yield the events at `path` as they come, until there are no more. */
export const follow = (path, signal) => messages(fetch(path, { signal }));

/** Yield the messages of an answer; aborting `signal` ends the server's work too. */
export function ask(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return messages(fetch("/ask", { method: "POST", headers, body: JSON.stringify(body), signal }));
}

/** The same by GET, which runs no tool with side effects: for a question that a link brought. */
export function look(parameters, signal) {
  return messages(fetch(`/ask?${new URLSearchParams(parameters)}`, { signal }));
}

async function* messages(answering) {
  const response = await answering;
  if (!response.ok) throw await problemOf(response);
  let held = "";
  for await (const chunk of chunks(response.body.pipeThrough(new TextDecoderStream()))) {
    const parts = (held + chunk).split("\n\n");
    held = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}

async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    reader.releaseLock();
  }
}

async function problemOf(response) {
  const problem = await response.json().catch(() => ({}));
  return new Problem([problem.detail ?? response.statusText, problem.hint].filter(Boolean).join(" "));
}
