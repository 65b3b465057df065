// A form for the editable fields of an action: bags, seats and requests. Other changes are made in words.

import { el, field } from "../base/dom.js";
import { t } from "../base/words.js";

const EDITABLE = { book_offer: ["extra_bags", "requests"], add_bags: ["bags"], choose_seats: ["seats"] };
const FIELDS = { extra_bags: count, bags: count, seats, requests };

/** Return a list with the form, empty if no field can be edited. `answer` is called with the edit decision. */
export function detailsForm({ name, args }, answer) {
  const names = (EDITABLE[name] ?? []).filter((one) => one !== "extra_bags" || /^FL\./.test(args.offer_id ?? ""));
  if (!names.length) return [];
  const controls = names.map((one) => [one, FIELDS[one](args[one], one)]);
  const submit = (event) => {
    event.preventDefault();
    const changed = Object.fromEntries(controls.map(([one, { read }]) => [one, read()]));
    answer([{ type: "edit", edited_action: { name, args: { ...args, ...changed } } }]);
  };
  const go = el("div", { class: "row" }, el("button", { type: "submit" }, t("look_at_change")));
  return [el("form", { class: "stack", on: { submit } }, controls.map(([, { element }]) => element), go)];
}

function count(value, name) {
  const input = el("input", { type: "number", min: name === "bags" ? "1" : "0", max: "9", required: true, value: value ?? 0 });
  return { element: field(t(`action.${name}`), input), read: () => Number(input.value) };
}

function seats(value) {
  const inputs = value.map(({ seat }) => el("input", { type: "text", maxlength: "4", required: true, value: seat }));
  const read = () => value.map((one, at) => ({ ...one, seat: inputs[at].value.trim().toUpperCase() }));
  return { element: el("div", { class: "pair" }, inputs.map((input, at) => field(t("action.seat", { number: at + 1 }), input))), read };
}

function requests(value) {
  const input = el("input", { type: "text", maxlength: "200", value: (value ?? []).join(", "), placeholder: t("list_hint") });
  return { element: field(t("action.requests"), input), read: () => input.value.split(/[,、]/).map((one) => one.trim()).filter(Boolean) };
}
