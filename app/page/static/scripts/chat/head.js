// The head of the conversation: its title, its memory mode, and the button that ends its session.

import { button, el, fill, select } from "../base/dom.js";
import { listen } from "../base/signals.js";
import { complain } from "../base/toast.js";
import { onLanguage, t } from "../base/words.js";
import { about } from "../memory/session.js";
import { conversation, finish } from "./conversation.js";

const title = document.getElementById("chat-title");
const tools = document.getElementById("chat-tools");

/** Draw the head now and whenever the conversation changes. */
export function startHead() {
  for (const event of ["conversation", "answered", "noted"]) listen(event, draw);
  onLanguage(draw);
  draw();
}

function draw() {
  title.textContent = conversation.title || t("new_conversation");
  const modes = ["on", "paused", "off"].map((mode) => [mode, t(`mode.${mode}`)]);
  const choose = (event) => {
    conversation.mode = event.target.value;
    draw();
    document.getElementById("message-hint").textContent = t(
      conversation.mode === "on" ? "composer_note" : `composer_note_${conversation.mode}`,
    );
  };
  const mode = select(modes, conversation.mode, { "aria-label": t("mode"), "data-key": "mode", on: { change: choose } });
  const end = button(t("finish"), () => finish().catch(complain), {
    title: t("finish_hint"),
    disabled: conversation.busy || !conversation.entries.length,
    "data-key": "finish",
  });
  const sample = about.is_sample ? el("span", { class: "badge warn narrow-only", title: t("sample_more") }, t("sample")) : null;
  fill(tools, sample, el("span", {}, mode), end);
}
