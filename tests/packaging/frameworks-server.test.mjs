// copydesk/react and copydesk/vue while a page is rendered on a server: nothing is loaded, and the state says so.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const options = { llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://x.example", apiKey: "k" } } };
/** An editor whose document may not be read. */
const editor = {
  get storage() {
    return assert.fail("the editor was used");
  },
};

test("React renders the hook without an agent, as a module and as CommonJS", async () => {
  const { createElement } = await import("react");
  const { renderToString } = await import("react-dom/server");
  const refused = [];
  for (const { useDocAgent } of [await import("copydesk/react"), require("copydesk/react")]) {
    const Writer = () => {
      const { agent, status, text, approvals, error, prompt } = useDocAgent(editor, options);
      assert.deepEqual([agent, text, approvals, error], [undefined, "", [], undefined]);
      refused.push(assert.rejects(prompt("x"), { code: "not_loaded" }));
      return createElement("p", null, status);
    };
    assert.equal(renderToString(createElement(Writer)), "<p>loading</p>");
  }
  await Promise.all(refused);
});

test("Vue renders the composable without an agent, as a module and as CommonJS", async () => {
  const refused = [];
  for (const [{ useDocAgent }, { createSSRApp, h }, { renderToString }] of [
    [await import("copydesk/vue"), await import("vue"), await import("vue/server-renderer")],
    [require("copydesk/vue"), require("vue"), require("vue/server-renderer")],
  ]) {
    const setup = () => {
      const { agent, status, prompt } = useDocAgent(() => editor, () => options);
      assert.equal(agent.value, undefined);
      refused.push(assert.rejects(prompt("x"), { code: "not_loaded" }));
      return () => h("p", status.value);
    };
    assert.equal(await renderToString(createSSRApp({ setup })), "<p>loading</p>");
  }
  await Promise.all(refused);
});
