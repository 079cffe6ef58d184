"use client";
/** `copydesk/react`: a hook for an agent that works on the editor of a component. */

import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import {
  DocAgentStore,
  LOADING,
  type DocAgentActions,
  type DocAgentOptions,
  type DocAgentState,
  type DocAgentTarget,
} from "./doc-agent.js";

export type { ApprovalRequest, DocAgentActions, DocAgentOptions, DocAgentState, DocAgentTarget } from "./doc-agent.js";

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
