// Pairs of contradicting notes, of which the user chooses the one that holds.

import { api } from "../base/api.js";
import { button, el } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { complain, toast } from "../base/toast.js";
import { day, t } from "../base/words.js";

/** Return a card for each conflict, a pair of notes with the older first. */
export function conflictCards(conflicts) {
  return conflicts.map(card);
}

function card(notes) {
  const rows = notes.map((note) =>
    el(
      "div",
      { class: "stack" },
      el("p", {}, note.text, " ", el("span", { class: "note" }, day(note.last_update_date))),
      el("div", { class: "row" }, button(t("this_holds"), () => settle(note, notes), { class: "plain", "data-key": `settle-${note.id}`, "aria-label": `${t("this_holds")}: ${note.text}` })),
    ),
  );
  return el("section", { class: "card conflict", "aria-label": t("conflict") }, el("h3", {}, t("conflict")), rows);
}

async function settle(note, notes) {
  try {
    const undone = [];
    for (const other of notes.filter((one) => one.id !== note.id)) undone.push((await api.retire(other.id)).entry);
    emit("memory");
    const undo = async () => {
      for (const entry of undone.toReversed()) await api.undo(entry);
      emit("memory");
    };
    toast(t("settled", { what: note.text }), [t("undo"), () => undo().catch(complain)]);
  } catch (error) {
    complain(error);
  }
}
