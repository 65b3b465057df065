// Draws the conversation, and keeps it scrolled to the end unless the user has scrolled up.

import { button, el, fill } from "../base/dom.js";
import { markdown } from "../base/markdown.js";
import { listen } from "../base/signals.js";
import { complain, speak } from "../base/toast.js";
import { knows, onLanguage, t } from "../base/words.js";
import { approvalCard, questionCard } from "./approval.js";
import { askAgain, conversation, decide, isAsked, send, stop } from "./conversation.js";
import { marks } from "./marks.js";

const log = document.getElementById("log");
const TRIES = ["try_flights", "try_hotel", "try_remember", "try_known"];

/** Draw the log now and whenever the conversation changes. */
export function startLog() {
  for (const event of ["conversation", "noted"]) listen(event, draw);
  listen("entry", ({ entry }) => redraw(entry));
  listen("answered", ({ answer }) => {
    draw();
    speak(answer.problem || answer.text || (conversation.waiting ? t("waits_one") : ""));
  });
  onLanguage(draw);
  draw();
}

function draw() {
  const shown = conversation.entries.map(drawn);
  if (!conversation.busy) shown.push(pending());
  fill(log, conversation.entries.length ? shown : welcome());
  log.scrollTop = log.scrollHeight;
  const card = log.querySelector(".approval");
  if (card?.offsetHeight > log.clientHeight) card.scrollIntoView(); // show the beginning of a long card
}

function redraw(entry) {
  const [old, now] = [document.getElementById(entry.id), drawn(entry)];
  if (!old || !now) return;
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  old.replaceWith(now);
  if (entry.step) speak(doing(entry.step));
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

function drawn(entry) {
  if (entry.role === "summary") return summary(entry);
  if (entry.role === "decision") return el("p", { class: "decided", id: entry.id }, t(`decided.${entry.step}`, { what: entry.text }));
  if (entry.role === "user") {
    const said = el("div", { class: "said" }, entry.text);
    return el("article", { class: "mine", id: entry.id, "aria-label": t("you_said") }, said);
  }
  const parts = [];
  if (entry.text.trim()) parts.push(el("div", { class: "said" }, markdown(entry.text)));
  if (entry.step) parts.push(el("p", { class: "doing" }, doing(entry.step)));
  if (entry.problem) parts.push(el("p", { class: "problem", role: "alert" }, entry.problem));
  if (entry.memory) parts.push(marks(entry.memory));
  if (!parts.some((part) => part.hasChildNodes())) return null;
  return el("article", { class: "theirs", id: entry.id, "aria-label": t("concierge_said") }, parts);
}

function summary(entry) {
  const told = el("div", { class: "said" }, markdown(entry.text));
  return el("details", { class: "summary", id: entry.id, "data-key": entry.id }, el("summary", {}, t("summary")), told);
}

function doing(step) {
  return t(knows(`doing.${step}`) ? `doing.${step}` : "doing.other");
}

/** Return the element for a pending approval, an unfinished run or an undecided approval; null if there is none. */
function pending() {
  if (isAsked()) return questionCard(conversation.waiting);
  if (conversation.waiting) return approvalCard(conversation.waiting);
  if (conversation.unfinished) return cutShort();
  return conversation.isLeftOpen ? stillOpen() : null;
}

function cutShort() {
  const again = button(t("go_on"), () => decide(null), { class: "primary" });
  const back = button(t("take_back"), () => stop().catch(complain));
  return el("section", { class: "approval", "aria-label": t("cut_short") }, el("p", {}, t("cut_short")), el("div", { class: "row" }, again, back));
}

function stillOpen() {
  return el("div", { class: "summary row" }, el("span", {}, t("still_open")), button(t("ask_again"), askAgain, { class: "plain" }));
}

function begin(words) {
  send(words).catch(complain);
  document.getElementById("message").focus();
}

function welcome() {
  const tries = TRIES.map((key) => button(t(key), () => begin(t(key))));
  return el(
    "div",
    { class: "welcome" },
    el("h3", {}, t("welcome")),
    el("p", {}, t("welcome_more")),
    el("div", { class: "tries" }, tries),
  );
}
