// Starts the page: texts and theme first, then sign-in, then the chat and the panel.

import { button, el, fill, icon, iconButton, select } from "./base/dom.js";
import { followMemory } from "./base/live.js";
import { askForToken, signInFromAddress } from "./base/sign_in.js";
import { isDark, startTheme, switchTheme } from "./base/theme.js";
import { complain, dismissToast } from "./base/toast.js";
import { LANGUAGES, chooseLanguage, language, loadWords, onLanguage, t } from "./base/words.js";
import { startComposer } from "./chat/composer.js";
import { openConversation, startAnew } from "./chat/conversation.js";
import { startHead } from "./chat/head.js";
import { startLog } from "./chat/log.js";
import { openPanel, startPanel } from "./memory/panel.js";
import { about, loadAbout } from "./memory/session.js";

const log = document.getElementById("log");

startTheme();
await loadWords();
await signInFromAddress().catch(complain);
await start();

async function start() {
  try {
    await loadAbout();
  } catch (error) {
    if (error.status === 401) askForToken(log, start);
    else fill(log, el("p", { class: "problem", role: "alert" }, error.message));
    return;
  }
  const wanted = new URLSearchParams(location.hash.slice(1)).get("thread");
  startAnew();
  for (const begin of [startHead, startLog, startPanel, startComposer, drawTools, followMemory]) begin();
  onLanguage(drawTools);
  if (wanted) await openConversation(wanted).catch(complain);
}

function drawTools() {
  const change = (event) => chooseLanguage(event.target.value).catch(complain);
  const languages = select(Object.entries(LANGUAGES), language, { "aria-label": t("language"), "data-key": "language", on: { change } });
  const turn = () => {
    switchTheme();
    drawTools();
  };
  const begin = () => {
    startAnew();
    document.getElementById("message").focus();
  };
  fill(
    document.getElementById("tools"),
    about.is_sample ? el("span", { class: "badge warn wide-only", title: t("sample_more") }, t("sample")) : null,
    iconButton("plus", t("new_conversation"), begin, { "data-key": "new" }),
    languages,
    iconButton("theme", t(isDark() ? "light" : "dark"), turn, { "data-key": "theme" }),
    button([icon("panel"), t("tab.memory")], openPanel, { id: "open-panel", "data-key": "open-panel" }),
  );
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) dismissToast();
});
