/** The elements as frameworks type them: what can be set, and the handlers of events. */

import type { LitElement } from "lit";
import type { CopydeskEvents } from "./events.js";
import type {} from "../ui.js";

/** The elements of copydesk, by their tags. */
export type CopydeskTags = {
  [Tag in keyof HTMLElementTagNameMap as Tag extends `copydesk-${string}` ? Tag : never]: HTMLElementTagNameMap[Tag];
};

/** Members of elements that cannot be set. */
type Methods = "announce" | "controller" | "check" | "refresh";

/** The properties of an element that can be set. */
export type PropertiesOf<Element> = Partial<Omit<Element, keyof LitElement | Methods>>;

/** The handlers of events as React 19 sets them: `onmode-change`. */
export type ReactHandlers = {
  [Name in keyof CopydeskEvents as `on${Name}`]?: (event: CopydeskEvents[Name]) => void;
};

/** The same as Vue sets them: `@mode-change` is `onModeChange`. */
export type VueHandlers = {
  [Name in keyof CopydeskEvents as `on${Camel<Capitalize<Name>>}`]?: (event: CopydeskEvents[Name]) => void;
};

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Camel<Capitalize<Rest>>}`
  : Name;
