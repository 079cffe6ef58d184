/** `copydesk/vue`: composables for an agent, and for a whole assistant, that work on the editor of a component. */

import {
  computed,
  onScopeDispose,
  shallowRef,
  toValue,
  watch,
  type ComputedRef,
  type HTMLAttributes,
  type MaybeRefOrGetter,
  type ReservedProps,
  type ShallowRef,
} from "vue";
import type { Editor } from "@tiptap/core";
import type { CopydeskEvents } from "./ui/events.js";
import type { CopydeskTags, HandlersOf, PropertiesOf } from "./ui/element-types.js";
import { createAssistant, type Assistant } from "./assistant/controller.js";
import type { AssistantOptions, AssistantState } from "./assistant/state.js";
import {
  DocAgentStore,
  type DocAgentActions,
  type DocAgentOptions,
  type DocAgentState,
  type DocAgentTarget,
} from "./agent/doc-agent.js";

export type {
  ApprovalRequest,
  DocAgentActions,
  DocAgentOptions,
  DocAgentState,
  DocAgentTarget,
} from "./agent/doc-agent.js";

export type DocAgent = DocAgentActions & { readonly [Name in keyof DocAgentState]: ComputedRef<DocAgentState[Name]> };

/**
 * Returns an agent for a document, with its state as refs. Call it in `setup`. The agent is disposed with the scope, and
 * when the document is another one. `document` and `options` may be refs or getters.
 */
export function useDocAgent(
  document: MaybeRefOrGetter<DocAgentTarget>,
  options: MaybeRefOrGetter<DocAgentOptions>,
): DocAgent {
  const store = new DocAgentStore(toValue(options));
  const state = shallowRef(store.state());
  onScopeDispose(store.subscribe(() => (state.value = store.state())));
  watch(
    () => toValue(options),
    (changed) => (store.options = changed),
    { flush: "sync" },
  );
  watch(
    () => toValue(document),
    (target, _before, onCleanup) => {
      // There is no wasm to load while a page is rendered on a server.
      if (target && typeof window === "object") onCleanup(store.open(target));
    },
    { immediate: true },
  );
  const { prompt, abort, approve } = store;
  return {
    agent: computed(() => state.value.agent),
    status: computed(() => state.value.status),
    text: computed(() => state.value.text),
    approvals: computed(() => state.value.approvals),
    error: computed(() => state.value.error),
    prompt,
    abort,
    approve,
  };
}

/** The elements of copydesk/ui, by their tags, with the properties and event handlers that Vue sets. */
export type CopydeskElements = {
  [Tag in keyof CopydeskTags]: new () => {
    $props: PropertiesOf<CopydeskTags[Tag]> & HandlersOf<keyof CopydeskEvents> & HTMLAttributes & ReservedProps;
  };
};

declare module "vue" {
  interface GlobalComponents extends CopydeskElements {}
}

/** An assistant with its state as refs; both hold null while there is no editor. */
export interface AssistantView {
  readonly assistant: Readonly<ShallowRef<Assistant | null>>;
  readonly state: Readonly<ShallowRef<AssistantState | null>>;
}

/**
 * Returns an assistant for an editor, with its state. Call it in `setup`. It is disposed with the scope, and when the
 * editor is another one. `editor` and `options` may be refs or getters; `agent` counts when an agent is created, the
 * other options when the assistant is.
 */
export function useAssistant(
  editor: MaybeRefOrGetter<Editor | null | undefined>,
  options: MaybeRefOrGetter<Omit<AssistantOptions, "editor">>,
): AssistantView {
  const assistant = shallowRef<Assistant | null>(null);
  const state = shallowRef<AssistantState | null>(null);
  const agent = () => {
    const given = toValue(options).agent;
    return typeof given === "function" ? given() : given;
  };
  watch(
    () => toValue(editor),
    (target, _before, onCleanup) => {
      // There is no wasm to load while a page is rendered on a server.
      if (!target || typeof window !== "object") return;
      const own = createAssistant({ ...toValue(options), editor: target, agent });
      void own.prepare().catch((error: unknown) => console.warn(error));
      [assistant.value, state.value] = [own, own.getSnapshot()];
      const unsubscribe = own.subscribe(() => (state.value = own.getSnapshot()));
      onCleanup(() => {
        unsubscribe();
        own.dispose();
        [assistant.value, state.value] = [null, null];
      });
    },
    { immediate: true },
  );
  return { assistant, state };
}
