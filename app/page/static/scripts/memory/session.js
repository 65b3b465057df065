// Who is signed in, and what may be remembered of them: what `GET /app/api/me` says.

import { api } from "../base/api.js";

/** Filled at the start; `paused` and `denied` follow the person's settings. */
export const about = {};

/** Fetch it anew. */
export async function loadAbout() {
  Object.assign(about, await api.me());
}

/** Return the key of the words for a stance. Of what is hard, such as an allergy, nothing is "needed": it must be heeded. */
export function stanceKey(stance, attribute, topic) {
  const isHard = about.topics[topic]?.attributes[attribute]?.hard;
  return isHard && stance === "requires" ? "stance.must" : `stance.${stance}`;
}
