// Who is signed in, and what may be remembered of them: what `GET /app/api/me` says.

import { api } from "../base/api.js";

/** Filled at the start; `paused` and `denied` follow the person's settings. */
export const about = {};

/** Fetch it anew. */
export async function loadAbout() {
  Object.assign(about, await api.me());
}
