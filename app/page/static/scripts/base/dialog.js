// Opens a modal dialog. The browser traps the focus in it and restores it afterwards; Esc closes it.

import { button, el } from "./dom.js";
import { t } from "./words.js";

/**
 * Open a dialog. `content` gets `close` and returns the nodes between the title and the buttons. With `submit`, the
 * dialog is a form: its main button calls `submit`, and an error of it is shown without closing.
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
      for (const one of body.querySelectorAll(".wrong")) one.remove();
      try {
        await submit();
        close();
      } catch (error) {
        problem.textContent = pointAt(body, error);
      }
    });
  }
  dialog.append(body);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // The element that opened it may have been redrawn meanwhile.
    if (opener) document.querySelector(`[data-key="${CSS.escape(opener)}"]`)?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show an error at its field, found by `data-field`; return the message to show below the form if there is none. */
function pointAt(form, { message, field = "" }) {
  const paths = field.split(".").map((_, at, parts) => parts.slice(0, parts.length - at).join("."));
  const place = paths.map((path) => path && form.querySelector(`[data-field="${CSS.escape(path)}"]`)).find(Boolean);
  if (!place) return message;
  const control = place.matches("input, select, textarea") ? place : place.querySelector("input, select, textarea");
  const said = el("p", { class: "problem wrong", id: "wrong", role: "alert" }, message);
  (place.closest("label.field") ?? place).append(said);
  control?.setAttribute("aria-describedby", said.id);
  control?.focus();
  return "";
}
