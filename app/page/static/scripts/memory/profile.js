// The profile, shown as a list and edited in a form.

import { api } from "../base/api.js";
import { openDialog } from "../base/dialog.js";
import { button, check, el, field, select } from "../base/dom.js";
import { emit } from "../base/signals.js";
import { toast, undoing } from "../base/toast.js";
import { day, named, t } from "../base/words.js";
import { about } from "./session.js";

const CONTROLS = { text, date, choice, list, map: pairs, flag: yesOrNo, group };

/** Return the section that shows the profile. */
export function profileBlock(profile) {
  const filled = about.profile_fields.map(({ name }) => name).filter((name) => said(profile[name]));
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
  const told = Object.entries(value).filter(([, kept]) => kept && kept !== "none");
  return told.map(([name, kept]) => (kept === true ? named("profile", name) : `${named("profile", name)}: ${named("value", kept)}`)).join(", ");
}

function editProfile(profile) {
  const controls = Object.fromEntries(about.profile_fields.map((one) => [one.name, CONTROLS[one.kind](profile[one.name], one)]));
  const part = (isHidden) => el("div", { class: "pair" }, about.profile_fields.filter(({ hidden }) => hidden === isHidden).map(({ name }) => labelled(name, controls[name].element)));
  const content = () => [
    el("p", { class: "note" }, t("profile_more")),
    part(false),
    el("fieldset", { class: "stack" }, el("legend", {}, t("unseen_by_model")), part(true)),
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
  element.dataset.field = name;
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

function choice(value, { values }) {
  const element = select([["", t("not_said")], ...values.map((one) => [one, named("value", one)])], value ?? "");
  return { element, read: () => element.value || null };
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

function group(value, { fields }) {
  const parts = fields.map((one) => [one.name, (one.kind === "flag" ? tick : CONTROLS[one.kind])(value?.[one.name], one)]);
  const element = el("fieldset", { class: "field" }, parts.map(([name, { element: control }]) => (control.tagName === "LABEL" ? control : labelled(name, control))));
  return { element, read: () => Object.fromEntries(parts.map(([name, { read }]) => [name, read()]).filter(([, kept]) => kept !== null)) };
}

function tick(value, { name }) {
  const element = check(named("profile", name), value ?? false);
  return { element, read: () => element.querySelector("input").checked };
}
