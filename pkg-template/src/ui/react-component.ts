"use client";
/** Makes the components of `copydesk/ui/react`. */

import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ForwardRefExoticComponent,
  type HTMLAttributes,
  type RefAttributes,
} from "react";
import { ElementBinding, type ElementSpec } from "./element-binding.js";
import type { CopydeskTags, Given, HandlersOf } from "./element-types.js";
import type { CopydeskEvents } from "./events.js";

/** A component that renders an element, with some of its properties and events. Its ref is the element. */
export type ElementComponent<
  Tag extends keyof CopydeskTags,
  Property extends keyof CopydeskTags[Tag],
  Event extends keyof CopydeskEvents,
> = ForwardRefExoticComponent<
  Omit<HTMLAttributes<CopydeskTags[Tag]>, Property | keyof HandlersOf<Event>> &
    Given<Tag, Property> &
    HandlersOf<Event> &
    RefAttributes<CopydeskTags[Tag]>
>;

type Props = Readonly<Record<string, unknown>>;
type Handler = ((event: Event) => void) | undefined;

/** Nothing has an effect while a page is rendered on a server, where React 18 warns of this hook. */
const useBeforePaint = typeof window === "object" ? useLayoutEffect : useEffect;

export function component(spec: ElementSpec): ForwardRefExoticComponent<Props & RefAttributes<HTMLElement>> {
  const handlers = new Map(spec.events.map((name) => [name, handlerOf(name)]));
  const own = new Set([...spec.properties, ...handlers.values()]);

  const Component = forwardRef<HTMLElement, Props>((props, ref) => {
    const element = useRef<HTMLElement>(null);
    const binding = useRef<ElementBinding>(null);
    const last = useRef(props);
    useImperativeHandle(ref, () => element.current!, []);
    useBeforePaint(() => {
      const heard = (name: string, event: Event) => (last.current[handlers.get(name)!] as Handler)?.(event);
      const made = new ElementBinding(spec, element.current!, heard);
      binding.current = made;
      return () => made.end();
    }, []);
    useBeforePaint(() => {
      last.current = props;
      binding.current!.update(props);
    });
    const attributes = Object.entries(props).filter(([name]) => !own.has(name));
    return createElement(spec.tag, { ...Object.fromEntries(attributes.map(attribute)), ref: element });
  });
  Component.displayName = spec.name;
  return Component;
}

/** Returns the name of the prop for an event: `onModeChange` for `mode-change`. */
function handlerOf(event: string): string {
  return `on${event.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`;
}

/** React 18 writes the props of custom elements as attributes, as they are. */
function attribute([name, value]: [string, unknown]): [string, unknown] {
  if (name === "className") return ["class", value];
  if (name !== "hidden" && name !== "inert") return [name, value];
  return [name, value ? "" : undefined];
}
