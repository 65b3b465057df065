// The panel beside the chat: memory, trips, conversations and settings as tabs; on narrow screens a drawer.

import { el, iconButton } from "../base/dom.js";
import { listen } from "../base/signals.js";
import { onLanguage, t } from "../base/words.js";
import { drawConversations } from "./conversations.js";
import { drawNotes, showNote } from "./notes.js";
import { drawSettings } from "./settings.js";
import { drawTrips } from "./trips.js";

const PAGES = { memory: drawNotes, trips: drawTrips, conversations: drawConversations, settings: drawSettings };
const panel = document.getElementById("panel");
const page = el("div", { class: "page", id: "page", role: "tabpanel", tabindex: "0" });
const narrow = matchMedia("(width <= 60rem)");
let chosen = "memory";
let opener = null;

/** Draw the panel now, and redraw its page whenever its data may have changed. */
export function startPanel() {
  onLanguage(draw);
  for (const event of ["memory", "answered", "conversation", "noted"]) listen(event, refreshSoon);
  listen("to-chat", closePanel);
  listen("show-note", async ({ id }) => {
    openPanel();
    await show("memory");
    showNote(page, id);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) closePanel();
  });
  page.addEventListener("pointerdown", hold);
  narrow.addEventListener("change", behave);
  draw();
}

/** Open the drawer on narrow screens. */
export function openPanel() {
  if (!narrow.matches) return;
  opener = document.activeElement;
  panel.setAttribute("data-open", "");
  behave();
  panel.querySelector('[aria-selected="true"]').focus();
}

function closePanel() {
  if (!panel.hasAttribute("data-open")) return;
  panel.removeAttribute("data-open");
  behave();
  (opener?.isConnected ? opener : document.getElementById("open-panel")).focus();
}

function behave() {
  // Content under the open drawer must not get focus or clicks.
  const isOver = narrow.matches && panel.hasAttribute("data-open");
  for (const one of [document.querySelector(".chat"), document.querySelector(".bar")]) one.inert = isOver;
}

function draw() {
  const tabs = Object.keys(PAGES).map((name) => {
    const is = name === chosen;
    const attributes = { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(is), "aria-controls": "page", tabindex: is ? "0" : "-1" };
    return el("button", { ...attributes, on: { click: () => show(name), keydown: move } }, t(`tab.${name}`));
  });
  const close = iconButton("close", t("close"), closePanel, { class: "close" });
  panel.replaceChildren(el("div", { class: "tabs" }, el("div", { role: "tablist", "aria-label": t("panel") }, tabs), close), page);
  page.setAttribute("aria-labelledby", `tab-${chosen}`);
  return refresh();
}

async function show(name) {
  const had = panel.querySelector('[role="tablist"]').contains(document.activeElement);
  chosen = name;
  page.replaceChildren();
  page.scrollTop = 0;
  const done = draw();
  if (had) document.getElementById(`tab-${name}`).focus();
  await done;
}

function move(event) {
  const names = Object.keys(PAGES);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  show(names[(names.indexOf(chosen) + step + names.length) % names.length]);
}

let turn = 0;

let isDue = false;

let released = Promise.resolve();

/** Defer redrawing until the pointer is released: replacing a pressed element would lose its click. */
function hold() {
  released = new Promise((resolve) => {
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(resolve), { once: true });
  });
}

/** Redraw the page once for events that arrive together. */
function refreshSoon() {
  if (isDue) return;
  isDue = true;
  setTimeout(() => {
    isDue = false;
    refresh();
  }, 50);
}

async function refresh() {
  const [mine, name] = [++turn, chosen];
  try {
    const drawNow = await PAGES[name](page);
    await released;
    if (mine === turn && name === chosen) drawNow();
  } catch (error) {
    if (mine === turn) page.replaceChildren(el("p", { class: "problem", role: "alert" }, error.message));
  }
}
