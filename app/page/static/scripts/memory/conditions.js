// The form field for a note's conditions: values of the schema, or free text.

import { button, el, fill, select } from "../base/dom.js";
import { named, t } from "../base/words.js";
import { about } from "./session.js";

/** The key of a free-text condition. */
const FREE = "other";

/** Return the form field: its `element`, and `read`, which returns the conditions by key. */
export function conditionsField(when) {
  let held = Object.entries(when);
  const list = el("div", { class: "stack" });
  const draw = () => {
    const rows = held.map((pair, at) => row(pair, at, held, draw, () => ((held = held.filter((one) => one !== pair)), draw())));
    const left = [...Object.keys(about.conditions), FREE].find((key) => !held.some(([other]) => other === key));
    const add = left && button(t("add_condition"), () => (held.push([left, ""]), draw()), { class: "plain", "data-key": "add-condition" });
    fill(list, rows, el("div", {}, add));
  };
  draw();
  const element = el("fieldset", { class: "stack", "data-field": "when" }, el("legend", {}, t("field.condition")), list);
  return { element, read: () => Object.fromEntries(held.filter(([, value]) => value.trim())) };
}

function row(pair, at, held, draw, remove) {
  const [key, value] = pair;
  const names = [...Object.keys(about.conditions), FREE].filter((name) => name === key || !held.some(([other]) => other === name));
  const chosen = (event) => (pair.splice(0, 2, event.target.value, ""), draw());
  const said = (event) => (pair[1] = event.target.value);
  const label = (name) => ({ "data-key": `when-${at}-${name}`, "aria-label": t(`condition.${name}`) });
  const values = about.conditions[key]?.values ?? [];
  const control = values.length
    ? select([["", "…"], ...values.map((one) => [one, named("value", one)])], value, { ...label("value"), required: true, on: { change: said } })
    : el("input", { type: "text", maxlength: "120", value, required: true, ...label("value"), on: { input: said } });
  return el(
    "div",
    { class: "claim when", role: "group", "aria-label": t("when", { what: named("condition", key) }), "data-field": `when.${key}` },
    select(names.map((name) => [name, named("condition", name)]), key, { ...label("key"), on: { change: chosen } }),
    control,
    button(t("remove"), remove, { class: "plain danger remove" }),
  );
}
