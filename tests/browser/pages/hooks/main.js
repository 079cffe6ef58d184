// An app of its own views around an assistant, in React or, with `?framework=vue`, in Vue.
import { createElement as h, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createApp, h as v, onMounted, onUnmounted, ref, shallowRef } from "vue";
import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";
import { useAssistant as useInReact } from "copydesk/react";
import { Copydesk } from "copydesk/tiptap";
import { useAssistant as useInVue } from "copydesk/vue";

const parameters = new URLSearchParams(location.search);
const agent = { llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: parameters.get("model") } }, maxRetries: 1 };
const HTML = "<h2>History</h2><p>Tea is an old drink of the south.</p>";
const edit = () => new Editor({ element: document.querySelector("#page"), content: HTML, extensions: [StarterKit, Copydesk.configure({ mode: "review" })] });

/** What the app shows of a run, by an element maker. */
const shown = (make, run) => run.items.map((item) => make("li", { key: item.id, "data-type": item.type }, item.type === "call" ? `${item.call.toolName}: ${item.call.state}` : (item.text ?? "")));

function Writer() {
  const [editor, setEditor] = useState(null);
  useEffect(() => {
    const own = edit();
    setEditor(own);
    return () => own.destroy();
  }, []);
  const { assistant, state } = useInReact(editor, { agent });
  window.seen = { assistant, state };
  const rows = state?.runs.flatMap((run) => shown(h, run)) ?? [];
  return h("div", {}, h("button", { onClick: () => assistant.send("Make it older"), disabled: !assistant }, "Send"), h("ul", {}, rows));
}

const VueWriter = {
  setup() {
    const editor = shallowRef(null);
    onMounted(() => (editor.value = edit()));
    onUnmounted(() => editor.value?.destroy());
    const { assistant, state } = useInVue(editor, { agent });
    return () => {
      window.seen = { assistant: assistant.value, state: state.value };
      const rows = state.value?.runs.flatMap((run) => shown(v, run)) ?? [];
      return v("div", {}, [v("button", { onClick: () => assistant.value.send("Make it older"), disabled: !assistant.value }, "Send"), v("ul", {}, rows)]);
    };
  },
};

if (parameters.get("framework") === "vue") {
  const isShown = ref(true);
  createApp({ render: () => (isShown.value ? v(VueWriter) : null) }).mount("#app");
  window.close = () => (isShown.value = false);
} else {
  const root = createRoot(document.querySelector("#app"));
  root.render(h(StrictMode, {}, h(Writer)));
  window.close = () => root.unmount();
}
window.ready = true;
