// Light and dark theme: the system's preference, until the user chooses one.

const KEPT = "concierge.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Apply the chosen theme, or else the system's, and follow changes of the system. */
export function startTheme() {
  apply();
  system.addEventListener("change", apply);
}

/** Switch between light and dark. */
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
