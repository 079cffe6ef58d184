/** `copydesk/vue`: a composable for an agent that works on the editor of a component. */

import { computed, onScopeDispose, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from "vue";
import {
  DocAgentStore,
  type DocAgentActions,
  type DocAgentOptions,
  type DocAgentState,
  type DocAgentTarget,
} from "./doc-agent.js";

export type { ApprovalRequest, DocAgentActions, DocAgentOptions, DocAgentState, DocAgentTarget } from "./doc-agent.js";

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
