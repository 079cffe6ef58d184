/** Runs an agent over a fetch that answers with one update of a section. Returns its status and text. */
export async function runAgent(Agent, document) {
  const call = { operation: "replace", sectionIndex: 1, content: "<p>New.</p>" };
  const answers = [
    { tool_calls: [{ index: 0, id: "c0", function: { name: "get_document", arguments: "{}" } }] },
    { tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: JSON.stringify(call) } }] },
    { content: "Done." },
  ];
  const fetch = async (_url, { body }) => {
    const delta = answers[JSON.parse(body).messages.filter(({ role }) => role === "assistant").length];
    const chunk = { choices: [{ index: 0, delta, finish_reason: delta.content ? "stop" : "tool_calls" }] };
    const headers = { "content-type": "text/event-stream" };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers });
  };
  const model = { api: "openai-completions", modelId: "test" };
  const streamOptions = { baseUrl: "http://127.0.0.1:9/v1", apiKey: "key" };
  const agent = new Agent({ document, fetch, llmConfig: { model, streamOptions } });
  const { status, text, error } = await agent.prompt("Replace the section");
  agent.dispose();
  return `${status}: ${error?.message ?? text}`;
}

