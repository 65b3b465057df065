// The settings page: pause and consent, export and import, the journal, and deletion of everything.

import { api, refusedWords } from "../base/api.js";
import { button, check, el, fill } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { complain, toast } from "../base/toast.js";
import { knows, moment, named, t } from "../base/words.js";
import { filesBlock, forgetBlock } from "./files.js";
import { about, loadAbout } from "./session.js";

/** Fetch the journal; return the function that draws the settings into `page`. */
export async function drawSettings(page) {
  const { entries } = await api.journal();
  return () => fill(page, pauseBlock(), consentBlock(), filesBlock(), journalBlock(entries), forgetBlock());
}

function block(title, ...content) {
  return el("section", { class: "block" }, el("h3", {}, title), content);
}

async function change(consent) {
  try {
    await api.consent(consent);
  } catch (error) {
    complain(error);
  }
  await loadAbout();
  emit("memory");
}

function pauseBlock() {
  const toggle = (event) => change({ paused: !event.target.checked });
  const box = check(t("learning"), !about.paused, { "data-key": "learning", role: "switch", on: { change: toggle } });
  return block(t("learning_title"), box, el("p", { class: "note" }, t(about.paused ? "is_paused" : "learning_more")));
}

function consentBlock() {
  const boxes = Object.keys(about.topics).map((topic) => {
    const toggle = (event) => change(event.target.checked ? { allow: [topic] } : { deny: [topic] });
    return check(named("topic", topic), !about.denied.includes(topic), { "data-key": `consent-${topic}`, on: { change: toggle } });
  });
  const group = el("fieldset", { class: "topics" }, el("legend", { class: "unseen" }, t("consent")), boxes);
  return block(t("consent"), el("p", { class: "note" }, t("consent_more")), group);
}

function journalBlock(entries) {
  const rows = entries.filter((one) => one.action !== "used").map((one) => {
    const undo = () => api.undo(one.id).then(() => (emit("memory"), toast(t("undone"))), complain);
    const facts = el("p", { class: "note" }, [moment(one.at), word("actor", one.actor), blockedWhy(one)].filter(Boolean).join(" · "));
    const back = one.undoable ? button(t("undo"), undo, { class: "plain", "data-key": `undo-${one.id}`, "aria-label": `${t("undo")}: ${what(one)}` }) : null;
    return el("li", {}, el("p", {}, what(one)), facts, el("div", {}, back));
  });
  const list = rows.length ? el("ol", { class: "versions" }, rows) : el("p", { class: "note" }, t("nothing_happened"));
  return block(t("changes"), el("details", { "data-key": "journal" }, el("summary", {}, t("changes_show")), list));
}

function what(one) {
  const texts = one.changes.filter(({ kind }) => kind === "note").map(({ before, after }) => (after ?? before)?.text).filter(Boolean);
  return [word("action", one.action) + (one.undone ? t("is_undone") : ""), ...texts.slice(0, 2)].join(": ");
}

function blockedWhy({ code }) {
  return code ? t(refusedWords(code) ?? "blocked.other") : "";
}

function word(kind, name) {
  return knows(`${kind}.${name}`) ? t(`${kind}.${name}`) : name.replaceAll("_", " ");
}
