// The history of a note, whose versions can be restored, and forgetting it for good.

import { api } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { openDialog } from "../base/dialog.js";
import { emit } from "../base/signals.js";
import { complain, toast, undoing } from "../base/toast.js";
import { knows, language, moment, t } from "../base/words.js";

/** Show every version of a note, the latest first. */
export async function showVersions(note) {
  try {
    const { versions } = await api.history(note.id);
    const list = (close) => el("ol", { class: "versions" }, versions.toReversed().map((one, at) => version(note, one, at === 0, close)));
    const forget = (close) => button(t("forget"), () => (close(), forgetForGood(note)), { class: "plain danger" });
    openDialog(t("history"), (close) => [list(close), el("div", {}, forget(close))]);
  } catch (error) {
    complain(error);
  }
}

function version(note, one, isLatest, close) {
  const by = t("by", { action: word("action", one.action), actor: word("actor", one.actor) });
  const isNow = isLatest && !one.removed && note.live;
  const put = button(t("use_this"), () => restore(one, close), { class: "plain" });
  return el(
    "li",
    { class: isNow ? "now" : "" },
    el("p", {}, one.note.text),
    el("p", { class: "note" }, [moment(one.at), by, language === "en" ? one.reason : ""].filter(Boolean).join(" · ")),
    isNow ? el("p", { class: "note" }, t("in_use")) : el("div", {}, put),
  );
}

function word(kind, name) {
  return knows(`${kind}.${name}`) ? t(`${kind}.${name}`) : name.replaceAll("_", " ");
}

async function restore(one, close) {
  try {
    const { note, entry } = await api.restore(one.note.id, one.seq);
    close();
    emit("memory");
    toast(t("in_use_again", { what: note.text }), undoing(entry));
  } catch (error) {
    close();
    complain(error);
  }
}

/** After a confirmation, forget a note with its versions and copies; this can't be undone. */
export function forgetForGood(note) {
  const submit = async () => {
    await api.forget(note.id);
    emit("memory");
    toast(t("forgotten"));
  };
  const content = () => [el("p", {}, t("forget_sure")), el("blockquote", {}, note.text)];
  openDialog(t("forget"), content, { submit, words: t("forget"), danger: true });
}
