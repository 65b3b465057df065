// The message field. Enter sends, Shift+Enter breaks the line; during an answer the button stops it.

import { el, fill, iconButton } from "../base/dom.js";
import { listen } from "../base/signals.js";
import { complain } from "../base/toast.js";
import { onLanguage, t } from "../base/words.js";
import { conversation, send, stop } from "./conversation.js";

const form = document.getElementById("composer");
const field = el("textarea", { id: "message", rows: "1", maxlength: "8000", enterkeyhint: "send", autocomplete: "off" });
const side = el("div", {});
const hint = el("p", { class: "note", id: "message-hint" });

/** Draw the message field and its button. */
export function startComposer() {
  form.append(el("div", { class: "box" }, field, side), hint);
  field.setAttribute("aria-describedby", "message-hint");
  field.addEventListener("keydown", (event) => {
    // During IME composition, Enter chooses a candidate.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  for (const event of ["conversation", "answered"]) listen(event, draw);
  listen("unsent", ({ text, error }) => {
    field.value ||= text;
    complain(error);
  });
  onLanguage(draw);
  draw();
  field.focus();
}

function draw() {
  field.placeholder = t("message_hint");
  field.setAttribute("aria-label", t("message"));
  hint.textContent = t(conversation.mode === "on" ? "composer_note" : `composer_note_${conversation.mode}`);
  const key = { "data-key": "send" };
  const go = iconButton("send", t("send"), null, { type: "submit", class: "primary", ...key });
  fill(side, conversation.busy ? iconButton("stop", t("stop"), halt, key) : go);
}

function submit() {
  const text = field.value.trim();
  if (!text || conversation.busy) return;
  field.value = "";
  send(text).catch(complain);
}

async function halt(event) {
  event.currentTarget.disabled = true;
  try {
    const message = await stop();
    if (message && !field.value) field.value = message;
  } catch (error) {
    complain(error);
  }
  field.focus();
}
