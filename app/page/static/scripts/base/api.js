// The server's JSON routes, one function each. Errors of the server are thrown as an ApiError with its message.

import { knows, language, t } from "./words.js";

const ROOT = "/app/api/";
const WRITING = { "X-Concierge": "page", "Content-Type": "application/json" };

/** The error of a request; `kind` comes from the server, or is `offline` if the server can't be reached. */
export class ApiError extends Error {
  constructor({ kind, message, ...more }, status = 0) {
    super(explained(kind, message, more.code));
    Object.assign(this, { name: "ApiError", kind, status, ...more });
  }
}

/** Return the message of a server error in the current language; the server's own messages are English. */
export function explained(kind, message, code = "") {
  const general = knows(`error.${kind}`) ? t(`error.${kind}`) : message;
  const known = refusedWords(code);
  if (known) return known.startsWith("blocked.") ? t("not_kept", { why: t(known) }) : t(known);
  return (language === "en" && kind !== "not_found" && message) || general;
}

/** Return the key of the text for a code of the server or the policy; undefined if it has none. */
export function refusedWords(code = "") {
  return code && [`wrong.${code}`, `blocked.${code}`, `blocked.${code.split(":")[0]}`].find(knows);
}

async function call(method, path, body, signal) {
  const options = { method, signal, credentials: "same-origin" };
  if (method !== "GET") Object.assign(options, { headers: WRITING, body: typeof body === "string" ? body : JSON.stringify(body ?? {}) });
  let response;
  try {
    response = await fetch(ROOT + path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError({ kind: "offline", message: t("not_reached") });
  }
  if (response.ok) return response;
  const failure = await response.json().catch(() => ({}));
  throw new ApiError({ kind: "internal", message: response.statusText, ...failure.error }, response.status);
}

async function json(method, path, body) {
  const response = await call(method, path, body);
  return response.status === 204 ? null : response.json();
}

async function* stream(path, body, signal) {
  const response = await call("POST", path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5));
      if (data.length) yield JSON.parse(data.join("\n"));
    }
  }
}

const note = (id) => `memory/notes/${encodeURIComponent(id)}`;
const thread = (id) => `threads/${encodeURIComponent(id)}`;

export const api = {
  me: () => json("GET", "me"),
  memory: (all) => json("GET", `memory?all=${all ? 1 : 0}`),
  conflicts: () => json("GET", "memory/conflicts"),
  edit: (id, changes, threadId) => json("PATCH", note(id) + (threadId ? `?${new URLSearchParams({ thread_id: threadId })}` : ""), changes),
  retire: (id) => json("DELETE", `${note(id)}?forever=0`),
  forget: (id, threadId) => json("DELETE", `${note(id)}?forever=1${threadId ? `&thread_id=${encodeURIComponent(threadId)}` : ""}`),
  history: (id) => json("GET", `${note(id)}/history`),
  restore: (id, seq) => json("POST", `${note(id)}/restore`, seq ? { seq } : {}),
  undo: (entry) => json("POST", "memory/undo", { entry }),
  editProfile: (fields) => json("PATCH", "memory/profile", fields),
  consent: (change) => json("PUT", "memory/consent", change),
  journal: () => json("GET", "memory/journal?all=1&limit=100"),
  exportAddress: `${ROOT}memory/export`,
  import: (text) => json("POST", "memory/import", text),
  clear: (confirm, bookings) => json("POST", "memory/clear", bookings ? { confirm, bookings } : { confirm }),
  trips: () => json("GET", `trips?all=1&language=${language}`),
  calendar: (reference) => `${ROOT}trips/${reference ? `${encodeURIComponent(reference)}/` : ""}calendar.ics`,
  threads: () => json("GET", "threads?limit=100"),
  thread: (id) => json("GET", thread(id)),
  deleteThread: (id) => json("DELETE", thread(id)),
  say: (id, words, signal) => stream(`${thread(id)}/messages`, words, signal),
  decide: (id, decisions, signal) => stream(`${thread(id)}/decisions`, { language, ...(decisions && { decisions }) }, signal),
  answer: (id, answer, signal) => stream(`${thread(id)}/decisions`, { language, answer }, signal),
  askAgain: (id, signal) => stream(`${thread(id)}/ask_again`, { language }, signal),
  endSession: (id, signal) => stream(`${thread(id)}/end`, { language }, signal),
  stop: (id) => json("POST", `${thread(id)}/stop`),
};
