// Speak to the server: JSON, and NLWeb's stream of messages.

/** What the server says is wrong. */
export class Problem extends Error {}

export async function json(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw await problemOf(response);
  return response.json();
}

/** Yield the messages of an answer; aborting `signal` ends the server's work too. */
export async function* ask(body, signal) {
  const response = await fetch("/ask", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal,
  });
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
