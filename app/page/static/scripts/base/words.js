// Texts in the chosen language. Both tables have the same keys, which a test checks.

export const LANGUAGES = { en: "English", ja: "日本語" };
const KEPT = "concierge.language";
const listeners = [];
let table = {};

/** The current language: the one chosen before, else the browser's, else English. */
export let language = "en";

/** Load the table of the language chosen before, or of the browser's. */
export async function loadWords() {
  const kept = localStorage.getItem(KEPT);
  const wanted = [kept, ...navigator.languages.map((one) => one.slice(0, 2))];
  await show(wanted.find((one) => one in LANGUAGES) ?? "en");
}

/** Switch the page to another language, and remember the choice. */
export async function chooseLanguage(chosen) {
  localStorage.setItem(KEPT, chosen);
  await show(chosen);
  for (const listener of listeners) listener();
}

/** Call `listener` whenever the language changes. */
export function onLanguage(listener) {
  listeners.push(listener);
}

async function show(chosen) {
  const response = await fetch(new URL(`../../words/${chosen}.json`, import.meta.url));
  table = await response.json();
  language = chosen;
  document.documentElement.lang = chosen;
  document.title = t("title");
  for (const one of document.querySelectorAll("[data-t]")) one.textContent = t(one.dataset.t);
  for (const one of document.querySelectorAll("[data-t-label]")) one.setAttribute("aria-label", t(one.dataset.tLabel));
  for (const one of document.querySelectorAll("[data-t-hint]")) one.setAttribute("placeholder", t(one.dataset.tHint));
}

/** Return the text for `key`, with `{name}` filled in from `values`; an unknown key is returned unchanged. */
export function t(key, values = {}) {
  return (table[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** Return whether there is a text for `key`. */
export function knows(key) {
  return key in table;
}

/** Return the text for a count: `key_one` for 1, else `key_many`. */
export function counted(key, count) {
  return t(`${key}_${count === 1 ? "one" : "many"}`, { count });
}

/** Return the display text of a name in the schema: a topic, an attribute or a value. */
export function named(kind, name) {
  return knows(`${kind}.${name}`) ? t(`${kind}.${name}`) : name.replaceAll("_", " ");
}

/** Return the locale for dates and money: the browser's locale for the current language, or else the language. */
function region() {
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
}

/** Format an ISO 8601 date in the locale; empty if there is none. */
export function day(iso) {
  if (!iso) return "";
  const isDate = iso.length === 10;
  const options = { year: "numeric", month: "short", day: "numeric", ...(isDate ? { timeZone: "UTC" } : {}) };
  return new Intl.DateTimeFormat(region(), options).format(new Date(iso));
}

/** Format an ISO 8601 date and time in the locale; empty if there is none. */
export function moment(iso) {
  if (!iso) return "";
  return new Intl.DateTimeFormat(region(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

/** Format an amount in minor units of its currency, such as 1999 USD, in the locale. */
export function money({ amount, currency }) {
  const format = new Intl.NumberFormat(region(), { style: "currency", currency });
  return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
}
