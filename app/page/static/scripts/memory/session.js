// The signed-in user, consent and the schema of notes: the response of `GET /app/api/me`.

import { api } from "../base/api.js";

/** Loaded at the start, and again when the user's settings change. */
export const about = {};

/** Fetch it again. */
export async function loadAbout() {
  Object.assign(about, await api.me());
}

/** Return the text key for a stance. A requirement of a hard attribute, such as an allergy, has a text of its own. */
export function stanceKey(stance, attribute, topic) {
  const isHard = about.topics[topic]?.attributes[attribute]?.hard;
  return isHard && stance === "requires" ? "stance.must" : `stance.${stance}`;
}
