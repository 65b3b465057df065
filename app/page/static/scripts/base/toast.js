// Shows one message with actions, until the next message or until it is closed.

import { api } from "./api.js";
import { button, el, iconButton } from "./dom.js";
import { emit, listen } from "./signals.js";
import { t } from "./words.js";

/** Show `words` and a button for each `[words, action]`. There is no timeout, so that slow readers can still undo. */
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

/** Return a toast action that undoes a journal entry; null if there is no entry. */
export function undoing(entry) {
  const undo = () => api.undo(typeof entry === "string" ? entry : entry.id).then(() => emit("memory"), complain);
  return entry ? [t("undo"), undo] : null;
}

/** Show an error. */
export function complain(error) {
  toast(error.message, error.kind === "unauthenticated" ? [t("sign_in"), () => location.reload()] : null);
}

/** Remove the message; return true if there was one. */
export function dismissToast() {
  const place = document.getElementById("toasts");
  const was = place.childElementCount > 0;
  place.replaceChildren();
  return was;
}

listen("conversation", dismissToast);

/** Announce a text to screen readers only. */
export function speak(words) {
  document.getElementById("spoken").textContent = words;
}
