// An app with components of copydesk/ui/react.
import { createElement as h, StrictMode, useEffect, useRef, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { CopydeskAssistant, CopydeskDiff, CopydeskOutline } from "copydesk/ui/react";
import { agent, chosen } from "./app.js";

function App() {
  const [{ newText, isHidden, modes, editor }, set] = useState({ newText: "Black tea.", isHidden: true, modes: ["review"], editor: null });
  const [assistant, outline] = [useRef(null), useRef(null)];
  useEffect(() => {
    globalThis.app.set = (changed) => set((before) => ({ ...before, ...changed }));
    globalThis.app.elements = () => [assistant.current, outline.current];
  }, []);
  return [
    h(CopydeskDiff, { key: "diff", oldText: "Green tea.", newText, className: "comparison", hidden: isHidden, "data-name": "tea" }),
    h(CopydeskOutline, { key: "outline", ref: outline, editor, onSectionSelect: editor ? chosen : undefined }),
    h(CopydeskAssistant, { key: "assistant", ref: assistant, editor, agent, modes }, h("p", { slot: "welcome" }, "Hello")),
  ];
}

const app = h(StrictMode, {}, h(App));
export const render = async () => renderToString(app);
export function start(place) {
  const root = hydrateRoot(place, app, { onRecoverableError: (error) => console.error(error) });
  return () => root.unmount();
}
