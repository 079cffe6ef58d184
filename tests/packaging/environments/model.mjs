// The model of the pages that ask one: it reads the document and appends a section.

export const ANSWER = "The article is written.";

/** The HTML of the editor afterwards. */
export const ARTICLE = "<h2>Tea</h2><p>A leaf.</p>";

const call = (id, name, args) => {
  return { tool_calls: [{ index: 0, id, function: { name, arguments: JSON.stringify(args) } }] };
};

const ANSWERS = [
  call("c0", "get_document", {}),
  call("c1", "update_section", { operation: "append", title: "Tea", content: "<p>A leaf.</p>" }),
  { content: ANSWER },
];

/** Answers a request of the wire format `openai-completions`, by the number of answers in it. */
export async function answerTo(route) {
  const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
  if (route.request().method() === "OPTIONS") return route.fulfill({ status: 204, headers });
  const { messages } = JSON.parse(route.request().postData());
  const delta = ANSWERS[messages.filter(({ role }) => role === "assistant").length];
  const chunk = { choices: [{ index: 0, delta, finish_reason: delta.content ? "stop" : "tool_calls" }] };
  const body = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  return route.fulfill({ status: 200, headers: { ...headers, "content-type": "text/event-stream" }, body });
}
