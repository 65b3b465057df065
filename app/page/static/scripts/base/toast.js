// Says in a line what was done, with what can be done about it, until something else is said or it is closed.

import { api } from "./api.js";
import { button, el, iconButton } from "./dom.js";
import { emit, listen } from "./signals.js";
import { t } from "./words.js";

/** Show `words` and a button for each `[words, action]`. Nothing vanishes by itself: who reads slowly can still undo. */
export function toast(words, ...actions) {
  const place = document.getElementById("toasts");
  const close = () => place.replaceChildren();
  const buttons = actions.filter(Boolean).map(([label, action]) =>
    button(label, () => {
      close();
      action();
    }),
  );
  place.replaceChildren(el("div", { class: "toast" }, el("span", {}, words), buttons, iconButton("close", t("close"), close)));
}

/** Return the action of a toast that takes back an entry of the journal; none where nothing was changed. */
export function undoing(entry) {
  const undo = () => api.undo(typeof entry === "string" ? entry : entry.id).then(() => emit("memory"), complain);
  return entry ? [t("undo"), undo] : null;
}

/** Show what went wrong. */
export function complain(error) {
  toast(error.message, error.kind === "unauthenticated" ? [t("sign_in"), () => location.reload()] : null);
}

/** Take away what is shown; true when something was. */
export function dismissToast() {
  const place = document.getElementById("toasts");
  const was = place.childElementCount > 0;
  place.replaceChildren();
  return was;
}

listen("conversation", dismissToast);

/** Say something to screen readers only. */
export function speak(words) {
  document.getElementById("spoken").textContent = words;
}
