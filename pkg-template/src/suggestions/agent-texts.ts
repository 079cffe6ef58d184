/** The texts that agents of other participants are writing, in the editor. They are decorations and never part of the document. */

import { Extension, type Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { Awareness } from "y-protocols/awareness";
import { Doc, type XmlFragment } from "yjs";
import { isObject } from "../base/json.js";
import { ownAgentsOf, shownEnd } from "./agents.js";
import { Anchors } from "./anchors.js";
import { readAuthor, readPlace } from "./entry.js";

export interface AgentTextsOptions {
  /** The awareness of the provider. */
  awareness: Awareness;
  /** The Yjs document of Collaboration, or the fragment. */
  document: Doc | XmlFragment;
  /** The name of the fragment. Default: `default`. */
  field?: string;
}

const key = new PluginKey<DecorationSet>("copydeskAgentTexts");

/** Draws the texts that agents are writing which `showAgent` of other pages shows, each at the agent's caret. */
export const AgentTexts = Extension.create<AgentTextsOptions>({
  name: "copydeskAgentTexts",

  addProseMirrorPlugins() {
    const { editor, options } = this;
    return [agentTexts(editor, options)];
  },
});

function agentTexts(
  editor: Editor,
  { awareness, document, field = "default" }: AgentTextsOptions,
): Plugin<DecorationSet> {
  const fragment = document instanceof Doc ? document.getXmlFragment(field) : document;
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, before) => (tr.getMeta(key) as DecorationSet | undefined) ?? before.map(tr.mapping, tr.doc),
    },
    props: { decorations: (state) => key.getState(state) },
    view: () => {
      // States come while a transaction is applied as well.
      let frame = 0;
      const draw = () => {
        frame = 0;
        if (editor.isDestroyed || editor.view.composing) return;
        const texts = textsOf(awareness, field);
        if (!texts.length && key.getState(editor.state) === DecorationSet.empty) return;
        const { doc, tr } = editor.state;
        const drawn = texts.length ? drawnIn(doc, new Anchors(fragment, doc), texts) : DecorationSet.empty;
        editor.view.dispatch(tr.setMeta(key, drawn).setMeta("addToHistory", false));
      };
      const changed = () => (frame ||= requestAnimationFrame(draw));
      awareness.on("change", changed);
      return {
        destroy: () => {
          cancelAnimationFrame(frame);
          awareness.off("change", changed);
        },
      };
    },
  });
}

interface AgentText {
  client: number;
  text: string;
  color: string | undefined;
  place: NonNullable<ReturnType<typeof readPlace>>;
}

/** Returns the texts of agents in the states of an awareness. Any peer may have written these. */
function textsOf(awareness: Awareness, field: string): AgentText[] {
  // This page shows what its own agents write.
  const own = ownAgentsOf(awareness);
  return [...awareness.getStates()].flatMap(([client, state]) => {
    const { agent, cursor, user } = state as Record<string, unknown>;
    const text = isObject(agent) ? (agent as Record<string, unknown>).text : undefined;
    const { anchor, head } = (isObject(cursor) ? cursor : {}) as Record<string, unknown>;
    const place = readPlace({ from: anchor, to: head }, field);
    if (typeof text !== "string" || !text || !place || client === awareness.clientID || own.has(client)) return [];
    return [{ client, text: shownEnd(text), color: isObject(user) ? readAuthor(user)?.color : undefined, place }];
  });
}

function drawnIn(doc: Node, anchors: Anchors, texts: readonly AgentText[]): DecorationSet {
  const widgets = texts.flatMap(({ client, text, color, place }) => {
    const at = anchors.position(place.to, false);
    if (at === undefined || at > doc.content.size) return [];
    const tag = doc.resolve(at).parent.inlineContent ? "span" : "div";
    const options = { key: `${client}:${text}`, side: 1, ignoreSelection: true, marks: [] };
    return [Decoration.widget(at, () => writing(tag, text, color), options)];
  });
  return DecorationSet.create(doc, widgets);
}

function writing(tag: "span" | "div", text: string, color: string | undefined): HTMLElement {
  const element = document.createElement(tag);
  element.className = "copydesk-writing";
  // It changes all the time; the suggestion is announced.
  element.ariaHidden = "true";
  element.dir = "auto";
  if (color) element.style.setProperty("--copydesk-author", color);
  element.textContent = text;
  return element;
}
