// The card of a note: its text, source and expiry, with buttons to edit, restore or forget it.

import { api } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { complain, toast, undoing } from "../base/toast.js";
import { counted, day, named, t } from "../base/words.js";
import { conversation, openConversation } from "../chat/conversation.js";
import { editNote } from "./editor.js";
import { stanceKey } from "./session.js";
import { forgetForGood, showVersions } from "./versions.js";

/** Return the card of a long-term note. */
export function noteCard(note) {
  const isLive = note.live;
  const attributes = { class: `card${isLive ? "" : " faded"}`, "data-note": note.id, "data-key": `note-${note.id}`, tabindex: "-1" };
  return el("li", attributes, el("p", { class: "text" }, note.text), badges(note), origin(note), actions(note, isLive));
}

/** Return the card of a staged note of the current session. */
export function stagedCard(note) {
  const remove = async () => {
    try {
      await api.forget(note.id, conversation.id);
      conversation.noted = conversation.noted.filter((one) => one.id !== note.id);
      emit("memory");
      toast(t("not_noted"));
    } catch (error) {
      complain(error);
    }
  };
  const edit = button(t("edit"), () => editNote(note, conversation.id), { class: "plain", disabled: conversation.busy, "data-key": `edit-${note.id}`, "aria-label": `${t("edit")}: ${note.text}` });
  const row = el("div", { class: "row" }, edit, button(t("not_this"), remove, { class: "plain", "aria-label": t("undo_note", { what: note.text }) }));
  return el("li", { class: "card", "data-note": note.id, tabindex: "-1" }, el("p", { class: "text" }, note.text), badges({ ...note, live: true }), origin(note), row);
}

function badges(note) {
  const shown = [];
  const badge = (words, kind = "") => shown.push(el("span", { class: `badge ${kind}` }, words));
  if (note.hard) badge(t("must"), "bad");
  if (note.pinned) badge(t("pinned"));
  if (note.scope !== "user") badge(t(`scope.${note.scope}`));
  for (const condition of Object.values(note.when)) badge(t("when", { what: named("value", condition) }));
  if (note.expires_at) badge(t("until", { day: day(note.expires_at) }), "warn");
  if (note.live === false) badge(t(`status.${note.status === "active" ? "expired" : note.status}`), "warn");
  if (note.unused) badge(t("topic_denied"), "warn");
  return el("div", { class: "badges" }, shown);
}

function origin(note) {
  const quotes = note.evidence.filter((one) => one.quote).map(quote);
  const facts = [
    [t("fact.first"), day(note.created_at)],
    [t("fact.updated"), day(note.last_update_date)],
    [t("fact.used"), note.last_used_at ? day(note.last_used_at) : t("never")],
    [t("fact.scope"), t(`scope.${note.scope}`)],
    [t("fact.until"), note.expires_at ? day(note.expires_at) : t("no_end")],
    [t("fact.confirmed"), counted("sessions", note.confirmations)],
    ...note.claims.map((claim) => [named("attribute", claim.attribute), claimWords(claim, note.topic)]),
  ];
  const list = el("dl", { class: "facts" }, facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  return el("details", { "data-key": `origin-${note.id}` }, el("summary", {}, t("where_from")), quotes, list);
}

function quote(one) {
  const open = () => openConversation(one.thread_id).catch(complain);
  const said = [one.question ? el("p", { class: "note" }, t("asked", { question: one.question })) : null, el("p", {}, t("quoted", { quote: one.quote }))];
  const from = el("p", { class: "note" }, day(one.said_on), " ", reported(one) ?? (one.thread_id ? button(t("open_conversation"), open, { class: "plain" }) : null));
  return el("blockquote", {}, said, from);
}

/** Return who reported evidence over MCP, which has no conversation to open; null for other evidence. */
function reported(one) {
  const [kind, name] = (one.thread_id ?? "").split(/:(.*)/s);
  return kind === "mcp" && name ? t("reported_by", { name }) : null;
}

function claimWords(claim, topic) {
  const who = claim.about === "user" ? "" : ` (${claim.about})`;
  return t(stanceKey(claim.stance, claim.attribute, topic), { value: named("value", claim.value) }) + who;
}

function actions(note, isLive) {
  const key = (name) => ({ class: "plain", "data-key": `${name}-${note.id}`, "aria-label": `${t(name)}: ${note.text}` });
  const versions = button(t("history"), () => showVersions(note), key("history"));
  if (!isLive) {
    const forget = button(t("forget"), () => forgetForGood(note), { ...key("forget"), class: "plain danger" });
    return el("div", { class: "row" }, button(t("restore"), () => bringBack(note), key("restore")), versions, forget);
  }
  const remove = button(t("delete"), () => retire(note), { ...key("delete"), class: "plain danger" });
  return el("div", { class: "row" }, button(t("edit"), () => editNote(note), key("edit")), versions, remove);
}

async function bringBack(note) {
  try {
    const { entry } = await api.restore(note.id);
    emit("memory");
    toast(t("in_use_again", { what: note.text }), undoing(entry));
  } catch (error) {
    complain(error);
  }
}

async function retire(note) {
  try {
    const { entry } = await api.retire(note.id);
    emit("memory");
    toast(t("deleted", { what: note.text }), undoing(entry), [t("forget"), () => forgetForGood(note)]);
  } catch (error) {
    complain(error);
  }
}
