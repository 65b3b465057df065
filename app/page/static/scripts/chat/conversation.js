// The conversation that is open: what was said in it, what waits, and how it goes on. It draws nothing.

import { api, explained } from "../base/api.js";
import { emit, listen } from "../base/signals.js";
import { language } from "../base/words.js";

/** What was said, oldest first: `{id, role: "user" | "assistant" | "summary" | "decision", text, step, memory, problem}`. */
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

/** Begin a new conversation; it is kept with its first message. It knows what was noted in the one that is left. */
export function startAnew(mode = "on") {
  if (conversation.noted.length && !conversation.waiting && !conversation.busy) settle(conversation.id);
  Object.assign(conversation, { id: crypto.randomUUID(), title: "", entries: [], noted: [], waiting: null, isLeftOpen: false, unfinished: false, mode, busy: false });
  history.replaceState(null, "", location.pathname);
  emit("conversation");
}

/** End the session of a conversation without anybody waiting for it; what fails is ended later by the server. */
async function settle(id) {
  try {
    for await (const event of api.endSession(id)) if (event.type === "reply") emit("memory");
  } catch (error) {
    if (error.name !== "ApiError") throw error;
  }
}

/** Open a conversation of before. */
export async function openConversation(id) {
  const found = await api.thread(id);
  const entries = told(found);
  const title = entries.find((one) => one.role === "user")?.text ?? "";
  const { noted, waiting, unfinished, left_open: isLeftOpen, mode } = found;
  Object.assign(conversation, { id, title, entries, noted, waiting, unfinished, isLeftOpen, mode, busy: false });
  history.replaceState(null, "", address(id));
  emit("conversation");
}

/** Return what was said; what memory did in a turn stands under the last thing said in it. */
function told({ entries, marks }) {
  const said = entries.filter((one) => roleOf(one) && one.text.trim());
  return said.map((one, at) => {
    const isLast = !said.slice(at + 1).some((other) => other.turn === one.turn);
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

/** Say something. */
export async function send(text) {
  const said = entry("user", text);
  const isPassedOver = conversation.waiting !== null || conversation.isLeftOpen;
  conversation.title ||= text;
  Object.assign(conversation, { waiting: null, isLeftOpen: false });
  conversation.entries.push(said);
  history.replaceState(null, "", address(conversation.id));
  const words = { message: text, memory_mode: conversation.mode, language };
  const answer = await run((signal) => api.say(conversation.id, words, signal));
  if (answer.unsent) {
    conversation.entries = conversation.entries.slice(0, -2);
    emit("conversation");
    emit("unsent", { text, error: answer.unsent });
  } else if (isShown(answer) && !conversation.busy) await takeKept(said, isPassedOver && !conversation.waiting);
}

/** Show a message as the server keeps it, with secrets masked, and whether it left something undecided. */
async function takeKept(said, isPassedOver) {
  const kept = await api.thread(conversation.id);
  const text = kept.entries.findLast((one) => roleOf(one) === "user")?.text ?? said.text;
  if (text === said.text && !isPassedOver) return;
  if (conversation.title === said.text) conversation.title = text;
  if (isPassedOver) conversation.isLeftOpen = kept.left_open;
  said.text = text;
  emit("conversation");
}

/** Put up again what a new message left undecided. */
export async function askAgain() {
  conversation.isLeftOpen = false;
  await run((signal) => api.askAgain(conversation.id, signal));
}

/** Decide on what waits, one decision for each action; without any, finish an answer that was cut short. */
export async function decide(decisions) {
  const actions = conversation.waiting?.action_requests ?? [];
  actions.forEach((action, at) => conversation.entries.push(decided(decisions[at].type, action)));
  conversation.waiting = null;
  await run((signal) => api.decide(conversation.id, decisions, signal));
}

/** End the session: what was learnt that lasts becomes long-term memory. */
export async function finish() {
  const answer = await run((signal) => api.endSession(conversation.id, signal));
  conversation.noted = [];
  const settled = answer.memory?.consolidated ?? [];
  const { notes } = settled.length ? await api.memory(true) : { notes: [] };
  for (const one of settled) one.text = notes.find((note) => note.id === one.note)?.text;
  emit("noted");
}

/** Stop the answer that is being written, and take the message back; gives its text, null when it was answered. */
export async function stop() {
  const { id, entries } = conversation;
  const said = entries.findLast((one) => one.role === "user").text;
  entries.at(-1).step = "stopping";
  emit("entry", { entry: entries.at(-1) });
  running?.abort();
  if (await isKept(id, said)) return null;
  // What was stopped before it was written down is as good as not said.
  conversation.entries = entries.slice(0, entries.findLastIndex((one) => one.role === "user"));
  Object.assign(conversation, { unfinished: false, busy: false });
  emit("conversation");
  return said;
}

/** Stop on the server, and return whether the message stays all the same; the conversation is then as it is there. */
async function isKept(id, said) {
  try {
    if ((await api.stop(id)).message !== null) return false;
    await openConversation(id);
  } catch (error) {
    if (error.status !== 404) throw error;
    return false;
  }
  const { role, text } = conversation.entries.at(-1) ?? {};
  return role === "assistant" || conversation.waiting !== null || (text === said && conversation.unfinished);
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

/** Whether the conversation of an answer is still the one that is open: another may have been opened meanwhile. */
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
