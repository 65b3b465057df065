// An event bus for the parts of the page, so that they do not depend on each other.

const target = new EventTarget();

/** Dispatch the event `name` with its details. */
export function emit(name, detail = {}) {
  target.dispatchEvent(new CustomEvent(name, { detail }));
}

/** Call `listener` with the details of every event `name`. */
export function listen(name, listener) {
  target.addEventListener(name, (event) => listener(event.detail));
}
