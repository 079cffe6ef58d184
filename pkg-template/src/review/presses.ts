/** Presses of the buttons that decide something. */

/**
 * Returns a listener that calls `decide` for each press of its own: not for the second click of a double click. After the
 * first one, another decision may be under the pointer.
 */
export function onPress(decide: (event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) decide(event);
  };
}

/** Keeps a key that is held down from pressing the button that has the focus by then. */
export function ignoreHeld(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}
