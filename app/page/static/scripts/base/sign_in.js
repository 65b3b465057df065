// Signs in with a token: from the page's address, where `concierge serve` puts it, or typed by the user.

import { ApiError } from "./api.js";
import { el, field, fill } from "./dom.js";
import { t } from "./words.js";

/** Exchange the token in the address for a cookie, and remove it from the address. */
export async function signInFromAddress() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  history.replaceState(null, "", location.pathname);
  await signIn(token);
}

/** Show a form for a token in `place`, and call `next` once it is accepted. */
export function askForToken(place, next) {
  const input = el("input", { type: "password", autocomplete: "off", required: true });
  const problem = el("p", { class: "problem", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await signIn(input.value.trim());
      next();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const go = el("div", {}, el("button", { type: "submit", class: "primary" }, t("sign_in")));
  fill(place, el("form", { class: "welcome", on: { submit } }, el("h3", {}, t("sign_in")), el("p", {}, t("sign_in_more")), field(t("token"), input), problem, go));
  input.focus();
}

async function signIn(token) {
  const headers = { "Content-Type": "application/json", "X-Concierge": "page" };
  const response = await fetch("/app/session", { method: "POST", headers, body: JSON.stringify({ token }) });
  if (response.ok) return;
  const body = await response.json().catch(() => ({}));
  throw new ApiError({ kind: "unauthenticated", message: body.error?.message ?? "" }, response.status);
}
