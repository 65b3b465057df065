// The profile: typed facts, shown as a list and edited in a form.

import { api } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { button, check, el, field, select } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { toast, undoing } from "../base/toast.js";
import { day, named, t } from "../base/words.js";

const UNSEEN = ["customer_id", "date_of_birth", "loyalty_ids"];
const FIELDS = {
  name: text,
  home_city: text,
  currency: text,
  passport_country: text,
  passport_expiry: date,
  seat_preference: choice("window", "middle", "aisle"),
  tone: choice("brief", "friendly", "formal"),
  tight_connections: yesOrNo,
  active_visas: list,
  loyalty_status: pairs,
  insurance: cover,
  customer_id: text,
  date_of_birth: date,
  loyalty_ids: pairs,
};

/** Return the part of the page that shows the profile. */
export function profileBlock(profile) {
  const filled = Object.keys(FIELDS).filter((name) => said(profile[name]));
  const facts = filled.flatMap((name) => [el("dt", {}, named("profile", name)), el("dd", {}, said(profile[name]))]);
  const edit = button(t("edit"), () => editProfile(profile), { class: "plain", "data-key": "edit-profile", "aria-label": t("edit_profile") });
  const body = facts.length ? el("dl", { class: "facts" }, facts) : el("p", { class: "note" }, t("profile_empty"));
  return el("details", { class: "group", open: true, "data-key": "profile" }, el("summary", {}, t("profile")), el("div", { class: "card" }, body, el("div", { class: "row" }, edit)));
}

function said(value) {
  if (value === null || value === undefined || value === "") return "";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "object") return entries(value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : named("value", value);
}

function entries(value) {
  if (!("level" in value)) return Object.entries(value).map((pair) => pair.join(": ")).join(", ");
  const covers = ["car_rental", "travel_medical"].filter((name) => value[name]).map((name) => named("profile", name));
  return [...covers, value.level === "none" ? "" : named("value", value.level)].filter(Boolean).join(", ");
}

function editProfile(profile) {
  const controls = Object.fromEntries(Object.entries(FIELDS).map(([name, make]) => [name, make(profile[name], name)]));
  const seen = Object.keys(FIELDS).filter((name) => !UNSEEN.includes(name));
  const content = () => [
    el("p", { class: "note" }, t("profile_more")),
    el("div", { class: "pair" }, seen.map((name) => labelled(name, controls[name].element))),
    el("fieldset", { class: "stack" }, el("legend", {}, t("unseen_by_model")), el("div", { class: "pair" }, UNSEEN.map((name) => labelled(name, controls[name].element)))),
  ];
  const submit = async () => {
    const now = Object.fromEntries(Object.entries(controls).map(([name, { read }]) => [name, read()]));
    const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(profile[name] ?? null));
    if (!changed.length) return;
    const { entry } = await api.editProfile(Object.fromEntries(changed));
    emit("memory");
    toast(t("saved_change"), undoing(entry));
  };
  openDialog(t("edit_profile"), content, { submit });
}

function labelled(name, element) {
  const words = named("profile", name);
  return element.tagName === "FIELDSET" ? (element.prepend(el("legend", {}, words)), element) : field(words, element);
}

function text(value) {
  const element = el("input", { type: "text", maxlength: "80", value: value ?? "", autocomplete: "off" });
  return { element, read: () => element.value.trim() || null };
}

function date(value) {
  const element = el("input", { type: "date", value: value ?? "" });
  return { element, read: () => element.value || null };
}

function choice(...values) {
  return (value) => {
    const element = select([["", t("not_said")], ...values.map((one) => [one, named("value", one)])], value ?? "");
    return { element, read: () => element.value || null };
  };
}

function yesOrNo(value) {
  const element = select([["", t("not_said")], ["true", t("yes")], ["false", t("no")]], value === null ? "" : String(value ?? ""));
  return { element, read: () => (element.value ? element.value === "true" : null) };
}

function list(value) {
  const element = el("input", { type: "text", value: (value ?? []).join(", "), placeholder: t("list_hint") });
  return { element, read: () => element.value.split(/[,、]/).map((one) => one.trim()).filter(Boolean) };
}

function pairs(value) {
  const lines = Object.entries(value ?? {}).map((pair) => pair.join(": ")).join("\n");
  const element = el("textarea", { rows: "2", value: lines, placeholder: t("pairs_hint") });
  const read = () => Object.fromEntries(element.value.split("\n").map((line) => line.split(/[:：](.*)/).map((part) => part.trim())).filter(([name, kept]) => name && kept).map(([name, kept]) => [name, kept]));
  return { element, read };
}

function cover(value) {
  const [rental, medical] = ["car_rental", "travel_medical"].map((name) => check(named("profile", name), value?.[name] ?? false));
  const level = select(["none", "basic", "standard", "premium"].map((one) => [one, named("value", one)]), value?.level ?? "none", { "aria-label": t("level") });
  const is = (one) => one.querySelector("input").checked;
  const read = () => ({ car_rental: is(rental), travel_medical: is(medical), level: level.value });
  return { element: el("fieldset", { class: "field" }, rental, medical, level), read };
}
