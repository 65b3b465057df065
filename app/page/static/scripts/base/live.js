// Follows what other tabs and programs do to the same memory, while the page is looked at.

import { emit } from "./signals.js";

let source = null;

/** Tell of changes from now on; a hidden page lets go of its connection, of which a browser has few. */
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
