// The card of a pending approval: each action in words, with buttons to approve, change or reject it.

import { button, el, field } from "../base/dom.js";
import { complain } from "../base/toast.js";
import { counted, language, t } from "../base/words.js";
import { detailsForm } from "./action_form.js";
import { decide, send } from "./conversation.js";

/** Return the card of an approval request. No action runs before one of its buttons is pressed. */
export function approvalCard(waiting) {
  const actions = waiting.action_requests;
  const body = actions.length === 1 ? single(actions[0]) : several(actions);
  return el(
    "section",
    { class: "approval", "aria-labelledby": "approval-title" },
    el("h3", { id: "approval-title" }, counted("waits", actions.length)),
    waiting.error ? el("p", { class: "problem", role: "alert" }, language === "en" ? waiting.error : t("look_again")) : null,
    body,
  );
}

/** Return the card of a question of the server's own code, which the next message answers. */
export function questionCard(waiting) {
  const text = typeof waiting === "string" ? waiting : JSON.stringify(waiting, null, 2);
  return el("section", { class: "approval", "aria-label": t("question_waits") }, text.split("\n").map((line) => el("p", {}, line)), el("p", {}, t("question_waits")));
}

function told(action) {
  return action.description.split("\n").map((line) => el("p", {}, line));
}

function single(action) {
  const place = el("div", { class: "stack" });
  const away = () => place.replaceChildren();
  const ask = (kind) => place.replaceChildren(asked(kind, away), ...(kind === "change" ? detailsForm(action, answer) : []));
  return [
    el("div", { class: "action" }, told(action)),
    el(
      "div",
      { class: "row" },
      button(t("approve"), () => answer([{ type: "approve" }]), { class: "primary", "data-key": "approve" }),
      button(t("change"), () => ask("change")),
      button(t("reject"), () => ask("reject"), { class: "danger" }),
    ),
    place,
  ];
}

function asked(kind, away) {
  const input = el("input", { type: "text", autocomplete: "off", placeholder: t(`${kind}_hint`), maxlength: 500 });
  const go = (event) => {
    event.preventDefault();
    const words = input.value.trim();
    if (kind === "reject") answer([{ type: "reject", ...(words ? { message: words } : {}) }]);
    else if (words) {
      send(words).catch(complain);
      document.getElementById("message").focus();
    }
  };
  const actions = el("div", { class: "row" }, el("button", { type: "submit", class: kind === "reject" ? "danger" : "primary" }, t(`${kind}_send`)), button(t("cancel"), away));
  const form = el("form", { class: "stack", on: { submit: go } }, field(t(`${kind}_label`), input), actions);
  queueMicrotask(() => {
    input.focus();
    form.parentElement.scrollIntoView({ block: "nearest" });
  });
  return form;
}

function several(actions) {
  const choices = actions.map(() => "");
  const send_ = el("button", { type: "submit", class: "primary", disabled: true }, t("decide_send"));
  const rows = actions.map((action, at) => {
    const choose = (type) => () => {
      choices[at] = type;
      send_.disabled = choices.includes("");
    };
    const radio = (type) =>
      el("label", { class: "check" }, el("input", { type: "radio", name: `action-${at}`, on: { change: choose(type) } }), t(type));
    return el("fieldset", { class: "action" }, el("legend", {}, t("action_number", { number: at + 1 })), told(action), el("div", { class: "row" }, radio("approve"), radio("reject")));
  });
  const all = (type) => () => answer(actions.map(() => ({ type })));
  const submit = (event) => {
    event.preventDefault();
    answer(choices.map((type) => ({ type })));
  };
  return el(
    "form",
    { class: "stack", on: { submit } },
    rows,
    el("div", { class: "row" }, send_, button(t("approve_all"), all("approve")), button(t("reject_all"), all("reject"), { class: "danger" })),
    el("p", { class: "note" }, t("decide_talk")),
  );
}

function answer(decisions) {
  decide(decisions).catch(complain);
  document.getElementById("message").focus();
}
