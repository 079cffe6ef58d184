"use client";
/** `copydesk/react`: hooks for an agent, and for a whole assistant, that work on the editor of a component. */

import { useEffect, useMemo, useRef, useState, useSyncExternalStore, type HTMLAttributes, type Ref } from "react";
import type { Editor } from "@tiptap/core";
import { createAssistant, type Assistant } from "./assistant/controller.js";
import type { AssistantOptions, AssistantState } from "./assistant/state.js";
import type { CopydeskTags, PropertiesOf, ReactHandlers } from "./ui/element-types.js";
import {
  DocAgentStore,
  LOADING,
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

/**
 * Returns an agent for a document, with its state. The agent is disposed with the component, and when the document is
 * another one; `StrictMode` makes two. Options may be new objects in each rendering.
 */
export function useDocAgent(document: DocAgentTarget, options: DocAgentOptions): DocAgentState & DocAgentActions {
  const [store] = useState(() => new DocAgentStore(options));
  useEffect(() => {
    store.options = options;
  });
  useEffect(() => (document ? store.open(document) : undefined), [store, document]);
  const state = useSyncExternalStore(store.subscribe, store.state, () => LOADING);
  const { prompt, abort, approve } = store;
  return useMemo(() => ({ ...state, prompt, abort, approve }), [state, prompt, abort, approve]);
}

/** The elements of copydesk/ui, by their tags, with the properties and event handlers that React 19 sets. */
export type CopydeskElements = {
  [Tag in keyof CopydeskTags]: Omit<HTMLAttributes<CopydeskTags[Tag]>, keyof PropertiesOf<CopydeskTags[Tag]>> &
    PropertiesOf<CopydeskTags[Tag]> &
    ReactHandlers & { ref?: Ref<CopydeskTags[Tag]>; class?: string };
};

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends CopydeskElements {}
  }
}

/** An assistant with its state; both are null while there is no editor. */
export interface AssistantView {
  readonly assistant: Assistant | null;
  readonly state: AssistantState | null;
}

const NO_CHANGES = () => () => {};

/**
 * Returns an assistant for an editor, with its state. It is disposed with the component, and when the editor is another
 * one; `StrictMode` makes two. `agent` may be a new object in each rendering and counts when an agent is created; the
 * other options are read when the assistant is.
 */
export function useAssistant(
  editor: Editor | null | undefined,
  options: Omit<AssistantOptions, "editor">,
): AssistantView {
  const given = useRef(options);
  const [assistant, setAssistant] = useState<Assistant | null>(null);
  useEffect(() => {
    given.current = options;
  });
  useEffect(() => {
    if (!editor) return undefined;
    const agent = () => (typeof given.current.agent === "function" ? given.current.agent() : given.current.agent);
    const own = createAssistant({ ...given.current, editor, agent });
    void own.prepare().catch((error: unknown) => console.warn(error));
    setAssistant(own);
    return () => {
      own.dispose();
      setAssistant(null);
    };
  }, [editor]);
  const state = useSyncExternalStore(
    assistant?.subscribe ?? NO_CHANGES,
    () => assistant?.getSnapshot() ?? null,
    () => null,
  );
  return useMemo(() => ({ assistant, state }), [assistant, state]);
}
