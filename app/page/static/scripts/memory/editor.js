// The form that edits a note: its text, topic, scope, claims, conditions and expiry.

import { api } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { button, check, el, field, fill, select } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { toast, undoing } from "../base/toast.js";
import { named, t } from "../base/words.js";
import { conditionsField } from "./conditions.js";
import { about, stanceKey } from "./session.js";

/** Open the form of a note, stored or staged in `threadId`. A refused edit is explained at its field. */
export function editNote(note, threadId = "") {
  const text = el("textarea", { rows: "3", maxlength: "240", required: true, value: note.text, "data-field": "text" });
  const topics = Object.keys(about.topics).map((name) => [name, named("topic", name)]);
  const topic = select(topics, note.topic, { "data-field": "topic" });
  const scopes = [...new Set([...about.scopes, note.scope])].map((name) => [name, t(`scope.${name}`)]);
  const scope = select(scopes, note.scope, { "data-field": "scope" });
  const conditions = conditionsField(note.when);
  const until = el("input", { type: "date", value: note.expires_at?.slice(0, 10) ?? "", "data-field": "expires_at" });
  const pinned = check(t("pin"), note.pinned);
  const claims = claimsField(note, () => topic.value);
  topic.addEventListener("change", claims.draw);
  const content = () => [
    field(t("field.text"), text),
    el("div", { class: "pair" }, field(t("field.topic"), topic), field(t("field.scope"), scope)),
    claims.element,
    conditions.element,
    el("div", { class: "pair" }, field(t("field.until"), until), pinned),
  ];
  const submit = async () => {
    const now = { text: text.value.trim(), topic: topic.value, scope: scope.value, when: conditions.read(), claims: claims.read(), expires_at: until.value || "never", pinned: pinned.querySelector("input").checked };
    const changed = changes(note, now);
    if (!Object.keys(changed).length) return;
    const saved = await api.edit(note.id, changed, threadId);
    Object.assign(note, saved.note); // for when the form is opened again before the panel is redrawn
    emit("note-edited", { note: saved.note });
    emit("memory");
    toast(t("saved_change"), undoing(saved.entry));
  };
  openDialog(t("edit_note"), content, { submit });
}

/** Return the changed fields. A new text is sent with the shown claims, because otherwise the note would lose them. */
function changes(note, now) {
  const before = { text: note.text, topic: note.topic, scope: note.scope, when: note.when, claims: note.claims, expires_at: note.expires_at?.slice(0, 10) ?? "never", pinned: note.pinned };
  const differs = (name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => differs(name) || (name === "claims" && differs("text"))));
}

function claimsField(note, topic) {
  let claims = note.claims.map((claim) => ({ ...claim }));
  const list = el("div", { class: "stack" });
  const draw = () => {
    const add = button(t("add_claim"), () => ((claims = [...claims, blank(topic())]), draw()), { class: "plain", "data-key": "add-claim" });
    fill(list, claims.map((claim, at) => row(claim, at, topic(), draw, () => ((claims = claims.filter((_, other) => other !== at)), draw()))), el("div", {}, add));
  };
  draw();
  const element = el("fieldset", { class: "stack" }, el("legend", {}, t("field.claims")), el("p", { class: "note" }, t("claims_more")), list);
  return { element, draw, read: () => claims };
}

function blank(topic) {
  return { attribute: Object.keys(about.topics[topic].attributes)[0] ?? "", value: "", stance: "prefers", about: "user" };
}

function row(claim, at, topic, draw, remove) {
  const names = Object.keys(about.topics[topic].attributes);
  const known = names.includes(claim.attribute) ? names : [claim.attribute, ...names];
  const set = (name) => (event) => (claim[name] = event.target.value);
  const key = (name) => ({ "data-key": `claim-${at}-${name}`, "aria-label": t(`claim.${name}`) });
  const chosen = (event) => (Object.assign(claim, { attribute: event.target.value, value: "" }), draw());
  const stances = about.stances.map((stance) => [stance, t(stanceKey(stance, claim.attribute, topic), { value: "…" })]);
  return el(
    "div",
    { class: "claim", role: "group", "aria-label": t("claim"), "data-field": `claims.${at}` },
    select(known.map((name) => [name, named("attribute", name)]), claim.attribute, { ...key("attribute"), on: { change: chosen } }),
    select(stances, claim.stance, { ...key("stance"), on: { change: set("stance") } }),
    valueField(claim, topic, { ...key("value"), required: true, on: { change: set("value") } }),
    el("input", { type: "text", maxlength: "40", value: claim.about === "user" ? "" : claim.about, placeholder: t("about_me"), ...key("about"), on: { change: (event) => (claim.about = event.target.value.trim() || "user") } }),
    button(t("remove"), remove, { class: "plain danger remove" }),
  );
}

function valueField(claim, topic, attributes) {
  const { values = [], number } = about.topics[topic].attributes[claim.attribute] ?? {};
  // A number may have a bound, as in >=9 or <=18:30.
  if (!values.length) return el("input", { type: "text", maxlength: "80", value: claim.value, ...(number ? { placeholder: "4, >=4, <=4" } : {}), ...attributes });
  const pairs = [["", "…"], ...[...new Set([...values, claim.value])].filter(Boolean).map((value) => [value, named("value", value)])];
  return select(pairs, claim.value, attributes);
}
