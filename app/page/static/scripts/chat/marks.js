// The marks of an answer: notes used, notes staged (with undo), proposals refused and why.

import { api, refusedWords } from "../base/api.js";
import { button, el, icon } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { complain, toast, undoing } from "../base/toast.js";
import { counted, knows, t } from "../base/words.js";
import { conversation } from "./conversation.js";

/** Return the marks of one answer; an empty list if memory did nothing. */
export function marks(memory) {
  return el(
    "ul",
    { class: "marks", "aria-label": t("memory_did") },
    memory.written.map(saved),
    memory.used.length ? used(memory.used) : null,
    memory.blocked.map(blocked),
    memory.forgotten.length ? mark("blocked", counted("forgotten_notes", memory.forgotten.length)) : null,
    memory.consolidated.length ? kept(memory.consolidated) : null,
  );
}

function mark(kind, ...content) {
  return el("li", { class: `mark ${kind}` }, icon(kind), content);
}

function saved(note) {
  const words = el("span", {}, t("noted", { what: note.text }));
  const made = mark("saved", words);
  const isStaged = conversation.noted.some((one) => one.id === note.id);
  if (!isStaged && !note.live) return made; // consolidation has already decided what becomes of it
  const take = async () => {
    let entry = null;
    try {
      if (isStaged) await api.forget(note.id, conversation.id);
      else ({ entry } = await api.retire(note.id));
    } catch (error) {
      complain(error);
      return;
    }
    conversation.noted = conversation.noted.filter((one) => one.id !== note.id);
    emit("memory");
    words.className = "undone";
    undo.remove();
    toast(t("not_noted"), undoing(entry));
    document.getElementById("message").focus();
  };
  const undo = button(t("undo"), take, { class: "plain", "aria-label": t("undo_note", { what: note.text }) });
  made.append(undo);
  return made;
}

function used(notes) {
  const list = el("ul", {}, notes.map((note) => el("li", {}, button(note.text, () => emit("show-note", { id: note.id }), { class: "plain" }))));
  return mark("used", el("details", {}, el("summary", {}, counted("used_notes", notes.length)), list));
}

function blocked({ code }) {
  const key = refusedWords(code);
  return mark("blocked", el("span", {}, t("not_kept", { why: t(key ?? "blocked.other") })));
}

function kept(operations) {
  const lines = operations.map(({ op, text }) => {
    const what = t(knows(`op.${op}`) ? `op.${op}` : "op.other");
    return el("li", {}, text ? t("settled_as", { what, text }) : what);
  });
  const count = operations.filter(({ op }) => op !== "DROP" && op !== "EXPIRE").length;
  return mark("saved", el("details", {}, el("summary", {}, counted("settled_notes", count)), el("ul", {}, lines)));
}
