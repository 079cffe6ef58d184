// An app with components of copydesk/ui/vue.
import { createSSRApp, h, onMounted, shallowReactive, useTemplateRef } from "vue";
import { renderToString } from "vue/server-renderer";
import { CopydeskAssistant, CopydeskDiff, CopydeskOutline } from "copydesk/ui/vue";
import { agent, chosen } from "./app.js";

const App = {
  setup() {
    const state = shallowReactive({ newText: "Black tea.", isHidden: true, modes: ["review"], editor: null });
    const [assistant, outline] = [useTemplateRef("assistant"), useTemplateRef("outline")];
    onMounted(() => {
      globalThis.app.set = (changed) => void Object.assign(state, changed);
      globalThis.app.elements = () => [assistant.value.element, outline.value.element];
    });
    return () => [
      h(CopydeskDiff, { oldText: "Green tea.", newText: state.newText, class: "comparison", hidden: state.isHidden, "data-name": "tea" }),
      h(CopydeskOutline, { ref: "outline", editor: state.editor, onSectionSelect: state.editor ? chosen : undefined }),
      h(CopydeskAssistant, { ref: "assistant", editor: state.editor, agent, modes: state.modes }, { welcome: () => h("p", "Hello") }),
    ];
  },
};

export const render = () => renderToString(createSSRApp(App));
export function start(place) {
  const app = createSSRApp(App);
  app.mount(place);
  return () => app.unmount();
}
