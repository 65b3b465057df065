// The state of the open conversation and the operations on it. It draws nothing.

import { api, explained } from "../base/api.js";
import { emit, listen } from "../base/signals.js";
import { language } from "../base/words.js";

/** `entries`, oldest first: `{id, role: "user" | "assistant" | "summary" | "decision", text, step, memory, problem}`. */
export const conversation = {
  id: "",
  title: "",
  entries: [],
  noted: [],
  waiting: null,
  isLeftOpen: false,
  unfinished: false,
  mode: "on",
  busy: false,
};

listen("note-edited", ({ note }) => {
  conversation.noted = conversation.noted.map((one) => (one.id === note.id ? note : one));
  for (const { memory } of conversation.entries) if (memory) memory.written = memory.written.map((one) => (one.id === note.id ? note : one));
  emit("noted");
});

let running = null;
let counter = 0;

/** Begin a new conversation, stored from its first message on; end the previous session if it has staged notes. */
export function startAnew(mode = "on") {
  if (conversation.noted.length && !conversation.waiting && !conversation.busy) settle(conversation.id);
  Object.assign(conversation, { id: crypto.randomUUID(), title: "", entries: [], noted: [], waiting: null, isLeftOpen: false, unfinished: false, mode, busy: false });
  history.replaceState(null, "", location.pathname);
  emit("conversation");
}

/** End the session of a conversation in the background; if that fails, the server ends it later. */
async function settle(id) {
  try {
    for await (const event of api.endSession(id)) if (event.type === "reply") emit("memory");
  } catch (error) {
    if (error.name !== "ApiError") throw error;
  }
}

/** Open an earlier conversation. */
export async function openConversation(id) {
  const thread = await api.thread(id);
  const entries = visibleEntries(thread);
  const title = entries.find((one) => one.role === "user")?.text ?? "";
  const { noted, waiting, unfinished, left_open: isLeftOpen, mode } = thread;
  Object.assign(conversation, { id, title, entries, noted, waiting, unfinished, isLeftOpen, mode, busy: false });
  history.replaceState(null, "", address(id));
  emit("conversation");
}

/** Return the entries that are shown; the memory marks of a turn go to its last entry. */
function visibleEntries({ entries, marks }) {
  const visible = entries.filter((one) => roleOf(one) && one.text.trim());
  return visible.map((one, at) => {
    const isLast = !visible.slice(at + 1).some((other) => other.turn === one.turn);
    return { ...entry(roleOf(one), one.text), memory: (isLast && marks[one.turn]) || null };
  });
}

function address(id) {
  return `#${new URLSearchParams({ thread: id })}`;
}

function roleOf(one) {
  if (one.synthetic) return one.kind === "summary" ? "summary" : null;
  return one.role === "user" || one.role === "assistant" ? one.role : null;
}

function entry(role, text) {
  counter += 1;
  return { id: `entry-${counter}`, role, text, step: "", memory: null, problem: "" };
}

function decided(type, action) {
  return { ...entry("decision", action.description.split("\n")[0]), step: type };
}

/** Return whether a question of the server's own code waits, which the next message answers. */
export const isAsked = () => conversation.waiting !== null && !conversation.waiting.action_requests;

async function answerQuestion(text) {
  conversation.entries.push(entry("user", text));
  conversation.waiting = null;
  await run((signal) => api.answer(conversation.id, text, signal));
}

/** Send a message, or the answer to a question that waits. */
export async function send(text) {
  if (isAsked()) return answerQuestion(text);
  const message = entry("user", text);
  const isBypassing = conversation.waiting !== null || conversation.isLeftOpen;
  conversation.title ||= text;
  Object.assign(conversation, { waiting: null, isLeftOpen: false });
  conversation.entries.push(message);
  history.replaceState(null, "", address(conversation.id));
  const body = { message: text, memory_mode: conversation.mode, language };
  const answer = await run((signal) => api.say(conversation.id, body, signal));
  if (answer.unsent) {
    conversation.entries = conversation.entries.slice(0, -2);
    emit("conversation");
    emit("unsent", { text, error: answer.unsent });
  } else if (isShown(answer) && !conversation.busy) await showStored(message, isBypassing && !conversation.waiting);
}

/** Show a message as the server stores it, with secrets masked, and whether it left an approval undecided. */
async function showStored(message, isBypassing) {
  const stored = await api.thread(conversation.id);
  const text = stored.entries.findLast((one) => roleOf(one) === "user")?.text ?? message.text;
  if (text === message.text && !isBypassing) return;
  if (conversation.title === message.text) conversation.title = text;
  if (isBypassing) conversation.isLeftOpen = stored.left_open;
  message.text = text;
  emit("conversation");
}

/** Request again the approval that a message left undecided. */
export async function askAgain() {
  conversation.isLeftOpen = false;
  await run((signal) => api.askAgain(conversation.id, signal));
}

/** Decide on the pending actions, with one decision each; without decisions, finish an interrupted run. */
export async function decide(decisions) {
  const actions = conversation.waiting?.action_requests ?? [];
  actions.forEach((action, at) => conversation.entries.push(decided(decisions[at].type, action)));
  conversation.waiting = null;
  await run((signal) => api.decide(conversation.id, decisions, signal));
}

/** End the session, which consolidates its notes into long-term memory. */
export async function finish() {
  const answer = await run((signal) => api.endSession(conversation.id, signal));
  conversation.noted = [];
  const settled = answer.memory?.consolidated ?? [];
  const { notes } = settled.length ? await api.memory(true) : { notes: [] };
  for (const one of settled) one.text = notes.find((note) => note.id === one.note)?.text;
  emit("noted");
}

/** Stop the current answer and take the message back; return its text, or null if it stays. */
export async function stop() {
  const { id, entries } = conversation;
  const message = entries.findLast((one) => one.role === "user").text;
  entries.at(-1).step = "stopping";
  emit("entry", { entry: entries.at(-1) });
  running?.abort();
  if (await isStored(id, message)) return null;
  // A message that was stopped before the server stored it is removed as if it had not been sent.
  conversation.entries = entries.slice(0, entries.findLastIndex((one) => one.role === "user"));
  Object.assign(conversation, { unfinished: false, busy: false });
  emit("conversation");
  return message;
}

/** Stop the run on the server; return whether it keeps the message, in which case the conversation is reloaded. */
async function isStored(id, message) {
  try {
    if ((await api.stop(id)).message !== null) return false;
    await openConversation(id);
  } catch (error) {
    if (error.status !== 404) throw error;
    return false;
  }
  const { role, text } = conversation.entries.at(-1) ?? {};
  return role === "assistant" || conversation.waiting !== null || (text === message && conversation.unfinished);
}

async function run(begin) {
  const answer = entry("assistant", "");
  answer.step = "thinking";
  conversation.entries.push(answer);
  conversation.busy = true;
  running = new AbortController();
  emit("conversation");
  try {
    for await (const event of begin(running.signal)) take(event, answer);
  } catch (error) {
    if (error.name === "AbortError") return answer; // `stop` does the rest
    answer.problem = error.message;
    if (["offline", "unauthenticated"].includes(error.kind) && !answer.text) answer.unsent = error;
  }
  answer.step = "";
  if (isShown(answer)) {
    conversation.busy = false;
    emit("answered", { answer });
  }
  return answer;
}

/** Return whether the conversation of an answer is still open: the user may have opened another meanwhile. */
function isShown(answer) {
  return conversation.entries.includes(answer);
}

function take(event, answer) {
  if (event.type === "token") {
    answer.text += event.text;
    answer.step = "";
  } else if (event.type === "step") {
    answer.step = event.name;
  } else if (event.type === "memory") {
    emit("memory");
  } else if (event.type === "error") {
    answer.problem = explained(event.error.kind, event.error.message, event.error.code);
  } else if (event.type === "reply") {
    finished(event, answer);
  }
  emit("entry", { entry: answer });
}

function finished(reply, answer) {
  if (!reply.interrupts.length && reply.reply) answer.text = reply.reply;
  answer.memory = reply.memory;
  if (!isShown(answer)) return;
  conversation.waiting = reply.interrupts[0] ?? null;
  conversation.unfinished = false;
  conversation.noted = [...conversation.noted, ...reply.memory.written];
}
