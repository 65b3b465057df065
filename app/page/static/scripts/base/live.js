// Follows changes that other tabs and programs make to the same memory, while the page is visible.

import { emit } from "./signals.js";

let source = null;

/** Emit changes from now on; a hidden page closes its connection, since browsers limit their number. */
export function followMemory() {
  document.addEventListener("visibilitychange", follow);
  follow();
}

function follow() {
  source?.close();
  if (document.hidden) return;
  source = new EventSource("/app/api/events");
  source.addEventListener("memory", () => emit("memory"));
}
