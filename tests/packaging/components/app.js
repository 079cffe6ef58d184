// Options of the agent and results, shared by the apps of both frameworks.
export const agent = { llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://model.example/v1" } } };

globalThis.app = { chosen: [] };

/** Listens to the outline. */
export function chosen(event) {
  globalThis.app.chosen.push(event.detail.title);
  event.preventDefault();
}
