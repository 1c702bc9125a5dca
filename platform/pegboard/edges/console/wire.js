// Speak to the server: JSON, and NLWeb's stream of messages.

/** What the server says is wrong. */
export class Problem extends Error {}

export async function json(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

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
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice(6));
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
