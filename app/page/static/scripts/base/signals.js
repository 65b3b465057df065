// Lets the parts of the page tell each other what happened, without knowing each other.

const target = new EventTarget();

/** Tell that `name` happened, with what belongs to it. */
export function emit(name, detail = {}) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Call `listener` with what belongs to every `name` from now on. */
export function listen(name, listener) {
  target.addEventListener(name, (event) => listener(event.detail));
}
