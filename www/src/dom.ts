/** What all parts of the page need of the DOM. Text is always set as text, never as HTML. */

/** The modifier key of shortcuts: ⌘ on Apple devices, Ctrl elsewhere. */
export const modKey = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Returns the language of most of a text. It is set as `lang`, which selects the shape of punctuation. */
export function languageOf(text: string): "zh-CN" | "en" {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/[A-Za-z]+/g)?.length ?? 0;
  return han > latin ? "zh-CN" : "en";
}

export type Child = Node | string | null | undefined | false;

type Props = {
  class?: string;
  on?: { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void };
} & Record<string, unknown>;

/** Creates an element with attributes, listeners under `on`, and children. `false` and `undefined` omit an attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "on") {
      for (const [type, listener] of Object.entries(value as object)) element.addEventListener(type, listener);
    } else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => !!child));
  return element;
}

/** Sets attributes; `undefined` and `false` remove one. */
export function set(element: Element, attributes: Record<string, string | number | boolean | undefined>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}
