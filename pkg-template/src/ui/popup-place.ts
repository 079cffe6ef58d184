/** The position of panels over the page. */

/** Distance of panels from the edges of the window, in pixels. */
export const GAP = 8;

/** The panels that are open, with what places them. */
const placed = new Map<HTMLElement, () => void>();

function again(): void {
  for (const [panel, place] of placed)
    if (panel.matches(":popover-open")) place();
    else placed.delete(panel);
  if (!placed.size) removeEventListener("resize", again);
}

/** Calls `place` for an open panel: now, and when the window has another size or zoom. */
export function keepPlaced(panel: HTMLElement, place: () => void): void {
  place();
  placed.set(panel, place);
  addEventListener("resize", again);
}

/** Keeps an open panel below its opener, inside of the window. */
export function placeBelow(panel: HTMLElement, opener: Element, distance: number): void {
  const inside = (from: number, length: number, most: number) => Math.max(GAP, Math.min(from, most - length - GAP));
  keepPlaced(panel, () => {
    const [at, size] = [opener.getBoundingClientRect(), panel.getBoundingClientRect()];
    const left = getComputedStyle(panel).direction === "rtl" ? at.right - size.width : at.left;
    panel.style.left = `${inside(left, size.width, innerWidth)}px`;
    panel.style.top = `${inside(at.bottom + distance, size.height, innerHeight)}px`;
  });
}

/** Gives the focus of a pop-up that closes to its button, which is before it. In shadow trees browsers do not. */
export function returnFocus({ newState, currentTarget }: ToggleEvent): void {
  const popup = currentTarget as HTMLElement;
  if (newState === "closed" && popup.matches(":focus-within")) (popup.previousElementSibling as HTMLElement).focus();
}
