// Helpers for tests of the elements of copydesk/ui.
import { opener } from "./harness.mjs";
import { model } from "./model.mjs";

const open = opener("ui");

/** Opens the page with a model that gives these answers. */
export async function openUi(t, answers = [], { search = "", ...options } = {}) {
  const server = await model(t, answers);
  const page = await open(t, { search: `?model=${encodeURIComponent(server.baseUrl)}${search}`, ...options });
  return { page, server };
}
export const ask = async (page, text) => {
  await page.fill("#composer", text);
  await page.press("#composer", "Enter");
};

/** Waits until the nth run has ended and its end is drawn. */
export const ended = (page, nth = 1) =>
  page.waitForFunction((count) => {
    const { runs, isWorking } = element.controller.getSnapshot();
    const conversation = element.shadowRoot?.querySelector("copydesk-conversation");
    return runs.length === count && !isWorking && !element.isUpdatePending && !conversation?.isUpdatePending;
  }, nth);
