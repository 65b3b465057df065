// Export and import of memory as a file, and deletion of everything after a typed confirmation.

import { api } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { button, el, field, icon, select } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { toast } from "../base/toast.js";
import { t } from "../base/words.js";
import { startAnew } from "../chat/conversation.js";
import { about, loadAbout } from "./session.js";

/** Return the section that exports and imports. */
export function filesBlock() {
  const file = el("input", { type: "file", accept: "application/json,.json", hidden: true, on: { change: () => read(file) } });
  return el(
    "section",
    { class: "block" },
    el("h3", {}, t("files")),
    el("p", { class: "note" }, t("files_more")),
    el(
      "div",
      { class: "row" },
      el("a", { class: "button", href: api.exportAddress, download: true }, icon("download"), t("export")),
      button(t("import"), () => file.click(), { "data-key": "import" }),
    ),
    file,
  );
}

async function read(file) {
  try {
    const report = await api.import(await file.files[0].text());
    await loadAbout();
    emit("memory");
    toast(report.notes + report.updated + report.confirmed + report.trips + report.profile.length ? t("imported", { count: report.notes }) : t("nothing_new_in_it"));
  } catch (error) {
    toast(error.kind === "invalid" ? t("no_export") : error.message);
  }
  file.value = "";
}

/** Return the section that deletes everything. */
export function forgetBlock() {
  return el(
    "section",
    { class: "block" },
    el("h3", {}, t("forget_everything")),
    el("p", { class: "note" }, t("forget_everything_more")),
    el("div", {}, button(t("forget_everything"), ask, { class: "danger", "data-key": "forget-everything" })),
  );
}

function ask() {
  const word = el("input", { type: "text", autocomplete: "off", required: true });
  const bookings = select([["keep", t("bookings_keep")], ["delete", t("bookings_delete")]], "keep");
  const open = field(t("open_bookings"), bookings);
  open.hidden = true;
  const content = () => [
    el("p", {}, t("forget_everything_sure")),
    field(t("type_word", { word: about.user_id }), word),
    open,
  ];
  const submit = async () => {
    try {
      await api.clear(word.value.trim(), open.hidden ? null : bookings.value);
    } catch (error) {
      if (error.kind !== "conflict") throw error;
      open.hidden = false;
      throw new Error(t("bookings_are_open"), { cause: error });
    }
    await loadAbout();
    startAnew();
    emit("memory");
    toast(t("all_forgotten"));
  };
  openDialog(t("forget_everything"), content, { submit, words: t("forget_everything"), danger: true });
}
