// Light and dark: what the system prefers, until the person chooses one.

const KEPT = "concierge.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Show the theme chosen before, or the system's, and follow the system while nothing was chosen. */
export function startTheme() {
  apply();
  system.addEventListener("change", apply);
}

/** Change between light and dark. */
export function switchTheme() {
  localStorage.setItem(KEPT, isDark() ? "light" : "dark");
  apply();
}

/** Return whether the page is dark now. */
export function isDark() {
  return (localStorage.getItem(KEPT) ?? (system.matches ? "dark" : "light")) === "dark";
}

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
