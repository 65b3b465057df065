// Opens a modal dialog of its own title and content. The browser holds the focus in it and gives it back; Esc closes.

import { button, el } from "./dom.js";
import { t } from "./words.js";

/**
 * Open a dialog. `content` is given `close` and returns the nodes between the title and the buttons. With `submit`, the
 * dialog is a form: its main button calls it, and what it throws is shown without closing.
 */
export function openDialog(title, content, { submit, words = t("save"), danger = false } = {}) {
  const opener = document.activeElement?.dataset?.key;
  const dialog = el("dialog", { "aria-labelledby": "dialog-title" });
  const close = () => dialog.close();
  const problem = el("p", { class: "problem", role: "alert" });
  const actions = el("div", { class: "actions" }, button(submit ? t("cancel") : t("close"), close));
  if (submit) actions.append(el("button", { type: "submit", class: danger ? "danger" : "primary" }, words));
  const body = el(submit ? "form" : "div", { class: "body" }, el("h2", { id: "dialog-title" }, title));
  body.append(...[content(close)].flat().filter(Boolean), problem, actions);
  if (submit) {
    body.addEventListener("submit", async (event) => {
      event.preventDefault();
      problem.textContent = "";
      try {
        await submit();
        close();
      } catch (error) {
        problem.textContent = error.message;
      }
    });
  }
  dialog.append(body);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // What opened it may have been drawn anew meanwhile.
    if (opener) document.querySelector(`[data-key="${CSS.escape(opener)}"]`)?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
