// The page of notes: search, staged notes, conflicts, notes by topic, and the profile.

import { conversation } from "../chat/conversation.js";
import { api } from "../base/api.js";
import { button, check, el, fill } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { counted, day, named, t } from "../base/words.js";
import { conflictCards } from "./conflicts.js";
import { noteCard, stagedCard } from "./note_card.js";
import { profileBlock } from "./profile.js";
import { about } from "./session.js";

const search = el("input", { type: "search", id: "search", autocomplete: "off" });
const old = { shown: false };
let redraw = () => {};
search.addEventListener("input", () => redraw());

/** Fetch notes, profile and conflicts; return the function that draws them into `page`. */
export async function drawNotes(page) {
  const [kept, { conflicts }] = await Promise.all([api.memory(old.shown), api.conflicts()]);
  return () => {
    redraw = () => fill(page, content({ ...kept, conflicts }));
    redraw();
  };
}

/** Scroll to a note and highlight it. */
export function showNote(page, id) {
  search.value = "";
  redraw();
  const card = page.querySelector(`[data-note="${CSS.escape(id)}"]`);
  if (!card) return;
  card.closest("details.group")?.setAttribute("open", "");
  card.classList.add("lit");
  card.scrollIntoView({ block: "center" });
  card.focus();
}

function content(kept) {
  search.setAttribute("aria-label", t("search"));
  search.placeholder = t("search");
  search.dataset.key = "search";
  const wanted = search.value.trim().toLocaleLowerCase();
  const found = kept.notes.filter((note) => !wanted || textOf(note).includes(wanted));
  const parts = [];
  if (about.paused) parts.push(el("p", { class: "banner" }, t("is_paused")));
  if (kept.notes.length) parts.push(finder(found.length, wanted));
  if (!wanted && conversation.noted.length) parts.push(staged());
  if (!wanted) parts.push(...conflictCards(kept.conflicts));
  parts.push(...groups(found));
  if (!found.length && !(conversation.noted.length && !wanted)) parts.push(empty(wanted));
  parts.push(oldOnes());
  if (!wanted) parts.push(profileBlock(kept.profile));
  return parts;
}

function finder(count, wanted) {
  const status = el("p", { class: "note", role: "status" }, wanted ? counted("found_notes", count) : "");
  return el("div", { class: "stack" }, search, status);
}

function oldOnes() {
  const toggle = (event) => {
    old.shown = event.target.checked;
    emit("memory");
  };
  return el("div", { class: "note" }, check(t("show_old"), old.shown, { "data-key": "show-old", on: { change: toggle } }));
}

function textOf(note) {
  const claims = note.claims.flatMap((one) => [one.attribute, named("attribute", one.attribute), one.value, named("value", one.value)]);
  const quotes = note.evidence.map((one) => one.quote);
  const words = [note.text, note.topic, named("topic", note.topic), ...Object.values(note.when), ...claims, ...quotes];
  return [...words, day(note.last_update_date)].join("\n").toLocaleLowerCase();
}

function groups(notes) {
  const topics = Object.keys(about.topics);
  const order = [...topics, ...notes.map((note) => note.topic).filter((topic) => !topics.includes(topic))];
  return [...new Set(order)].flatMap((topic) => {
    const mine = notes.filter((note) => note.topic === topic);
    return mine.length ? [group(topic, mine)] : [];
  });
}

function group(topic, notes) {
  const count = el("span", { class: "count" }, String(notes.length));
  const head = el("summary", {}, el("span", {}, named("topic", topic)), count);
  return el("details", { class: "group", open: true, "data-key": `topic-${topic}` }, head, el("ul", { class: "cards" }, notes.map(noteCard)));
}

function staged() {
  const head = el("summary", {}, el("span", {}, t("noted_here")), el("span", { class: "count" }, String(conversation.noted.length)));
  const cards = el("ul", { class: "cards" }, conversation.noted.map(stagedCard));
  return el("details", { class: "group", open: true, "data-key": "staged" }, head, el("p", { class: "note" }, t("noted_here_more")), cards);
}

function empty(wanted) {
  if (wanted) return el("div", { class: "empty" }, el("p", {}, t("nothing_found")));
  const example = t("try_remember");
  const say = () => {
    const field = document.getElementById("message");
    emit("to-chat");
    field.value = example;
    field.focus();
  };
  return el("div", { class: "empty" }, el("p", {}, t("nothing_remembered")), button(example, say, { class: "plain" }));
}
