// Renders the Markdown that replies use: headings, lists, tables, bold, italics, code and links. It builds elements and
// sets text, never markup; links to https and to our calendar files become links, others stay text.

import { el } from "./dom.js";

const INLINE = /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|(https:\/\/[^\s<>"'）」、。]+[^\s<>"'）」、。.,;:!?)])|(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g;

/** Return elements for a Markdown text. */
export function markdown(text) {
  const lines = text.replaceAll("\r", "").split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    const [block, next] = read(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function read(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const heading = line.match(/^(#{1,6})\s+(.*)$/);
  if (heading) return [el("h3", {}, inline(heading[2])), at + 1];
  if (isRow(line) && isRule(lines[at + 1])) return table(lines, at);
  if (item(line)) return list(lines, at);
  return paragraph(lines, at);
}

const isRow = (line) => line !== undefined && line.trim().startsWith("|");
const isRule = (line) => isRow(line) && /^[\s|:-]+$/.test(line) && line.includes("-");
const item = (line) => line.match(/^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/);

function cells(line) {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function table(lines, at) {
  const head = cells(lines[at]).map((cell) => el("th", { scope: "col" }, inline(cell)));
  const rows = [];
  let next = at + 2;
  for (; isRow(lines[next]); next++) {
    const [first, ...others] = cells(lines[next]);
    rows.push(el("tr", {}, el("th", { scope: "row" }, inline(first)), others.map((cell) => el("td", {}, inline(cell)))));
  }
  const made = el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  // A wide table scrolls in its own frame, which needs a tabindex for keyboard users.
  return [el("div", { class: "wide", tabindex: "0", role: "group" }, made), next];
}

function list(lines, at) {
  const ordered = Boolean(item(lines[at])[2]);
  const items = [];
  let next = at;
  for (; next < lines.length && item(lines[next]); next++) items.push(el("li", {}, inline(item(lines[next])[3])));
  const start = ordered ? item(lines[at])[2] : null;
  return [el(ordered ? "ol" : "ul", ordered && start !== "1" ? { start } : {}, items), next];
}

function paragraph(lines, at) {
  const parts = [];
  let next = at;
  for (; next < lines.length && lines[next].trim() && !item(lines[next]) && !/^#{1,6}\s/.test(lines[next]); next++) {
    if (next > at && isRow(lines[next]) && isRule(lines[next + 1])) break;
    if (parts.length) parts.push(el("br"));
    parts.push(...inline(lines[next]));
  }
  return [el("p", {}, parts), next];
}

function inline(text) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push(styled(match));
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function styled([whole, bold, code, words, address, bare, italic]) {
  if (bold) return el("strong", {}, inline(bold));
  if (code) return el("code", {}, code);
  if (italic) return el("em", {}, italic);
  return link(words ?? bare, address ?? bare) ?? whole;
}

function link(words, address) {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  const isOurs = url?.origin === location.origin && url.pathname.startsWith("/app/api/") && url.pathname.endsWith(".ics");
  if (isOurs) return el("a", { href: url.href, download: true }, words);
  if (url?.protocol !== "https:") return null;
  return el("a", { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow" }, words);
}
