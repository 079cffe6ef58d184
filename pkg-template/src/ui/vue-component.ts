/** Makes the components of `copydesk/ui/vue`. */

import {
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
  type AllowedComponentProps,
  type ComponentCustomProps,
  type ComponentOptionsMixin,
  type DefineComponent,
  type HTMLAttributes,
  type SlotsType,
  type VNode,
  type VNodeProps,
} from "vue";
import { ElementBinding, type ElementSpec } from "./element-binding.js";
import type { CopydeskTags, Given, HandlersOf } from "./element-types.js";
import type { CopydeskEvents } from "./events.js";

type Attributes = HTMLAttributes & VNodeProps & AllowedComponentProps & ComponentCustomProps;

/** A component that renders an element, with some of its properties, events and slots. Its ref has the element. */
export type ElementComponent<
  Tag extends keyof CopydeskTags,
  Property extends keyof CopydeskTags[Tag],
  Event extends keyof CopydeskEvents,
  Slot extends string,
> = DefineComponent<
  Given<Tag, Property>,
  { readonly element: CopydeskTags[Tag] | null },
  {},
  {},
  {},
  ComponentOptionsMixin,
  ComponentOptionsMixin,
  { [Name in Event]: (event: CopydeskEvents[Name]) => void },
  Event,
  Attributes,
  Readonly<Given<Tag, Property> & HandlersOf<Event>>,
  {},
  SlotsType<{ [Name in Slot]?: {} }>
>;

export function component(spec: ElementSpec): unknown {
  const flags = new Set(spec.flags);
  // `<CopydeskFind open>` is true; what is not given has the element's own default.
  const declared = spec.properties.map((name) => [
    name,
    flags.has(name) ? { type: Boolean, default: undefined } : null,
  ]);
  return defineComponent({
    name: spec.name,
    props: Object.fromEntries(declared) as Record<string, null>,
    emits: [...spec.events],
    setup(props, { emit, expose, slots }) {
      const element = shallowRef<HTMLElement | null>(null);
      let binding: ElementBinding | undefined;
      expose({ element });
      onMounted(() => {
        binding = new ElementBinding(spec, element.value!, emit);
        binding.update({ ...props });
      });
      watch(
        () => ({ ...props }),
        (values) => binding?.update(values),
        { flush: "post" },
      );
      onBeforeUnmount(() => binding?.end());
      return () =>
        h(
          spec.tag,
          { ref: element },
          Object.entries(slots).map(([name, slot]) => slotted(name, slot!())),
        );
    },
  });
}

/** Returns what is shown in a slot of the element. */
function slotted(name: string, content: VNode[]): VNode | VNode[] {
  return name === "default" ? content : h("div", { slot: name, style: { display: "contents" } }, content);
}
