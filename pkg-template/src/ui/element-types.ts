/** The elements as frameworks type them: what can be set, and the handlers of events. */

import type { LitElement } from "lit";
import type { CopydeskEvents } from "./events.js";

/** The modules of the elements, which declare their tags. */
export type ElementModules = typeof import("../ui.js");

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

/** The handlers of events as components get them: `onModeChange`, in templates of Vue `@mode-change`. */
export type HandlersOf<Event extends keyof CopydeskEvents> = {
  [Name in Event as `on${Camel<Capitalize<Name>>}`]?: (event: CopydeskEvents[Name]) => void;
};

/** Some properties of an element, as components get them: of what is null, the element has its default. */
export type Given<Tag extends keyof CopydeskTags, Property extends keyof CopydeskTags[Tag]> = {
  [Name in Property]?: CopydeskTags[Tag][Name] | null | undefined;
};

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Camel<Capitalize<Rest>>}`
  : Name;
