// Makes elements. Text is only ever set as text, so that messages and notes can't become markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = new URL("../../icons.svg", import.meta.url).pathname;

/**
 * Make an element. `on` holds listeners by event; an attribute that is false, null or undefined is left out; a child
 * may be a node, a string, or nothing.
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name === "value") {
      made.value = value;
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Make an icon from `icons.svg`, hidden from screen readers. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${ICONS}#${name}`);
  svg.append(use);
  return svg;
}

/** Make a button with a text. */
export function button(words, onclick, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: onclick } }, words);
}

/** Make a button with an icon, whose text is for screen readers and the tooltip. */
export function iconButton(name, words, onclick, attributes = {}) {
  const made = button(icon(name), onclick, { title: words, "aria-label": words, ...attributes });
  made.classList.add("round");
  return made;
}

/** Make a control with its label above it. */
export function field(label, control) {
  return el("label", { class: "field" }, el("span", {}, label), control);
}

/** Make a select from `[value, text]` pairs. */
export function select(pairs, chosen, attributes = {}) {
  const options = pairs.map(([value, words]) => el("option", { value, selected: value === chosen }, words));
  return el("select", attributes, options);
}

/** Make a checkbox with its text beside it. */
export function check(words, checked, attributes = {}) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", checked, ...attributes }), el("span", {}, words));
}

/**
 * Replace the children of `place`. A focus inside it moves to the new element with the same `data-key`, and `<details>`
 * with a `data-key` stay open or closed.
 */
export function fill(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const opened = new Map([...place.querySelectorAll("details[data-key]")].map((one) => [one.dataset.key, one.open]));
  place.replaceChildren(...children.flat().filter(Boolean));
  for (const one of place.querySelectorAll("details[data-key]")) {
    if (opened.has(one.dataset.key)) one.open = opened.get(one.dataset.key);
  }
  if (focused) place.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}
