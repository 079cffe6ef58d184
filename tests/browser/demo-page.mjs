// The demo page as tests use it.
import { openPage, serveDemo } from "./harness.mjs";

/** What the page logs when Openverse or Wikipedia cannot be reached, as on this machine. */
export const offline = [/^outside: GET https:\/\/(api\.openverse\.org|\w+\.wikipedia\.org)\//, /^console: Failed to load resource: net::ERR_NAME_NOT_RESOLVED/];

/** The demo, where edits are applied at once unless the test is about reviewing them. */
export async function openDemo(t, options = {}) {
  const { search = "", mode = "auto", prepare, ...rest } = options;
  const url = await serveDemo();
  const chosen = async (fresh) => {
    if (mode) await fresh.addInitScript((value) => localStorage.setItem("copydesk.mode", value), mode);
    await prepare?.(fresh);
  };
  const page = await openPage(t, url + search, { viewport: { width: 1440, height: 900 }, locale: "en-US", prepare: chosen, ...rest });
  await page.waitForSelector("html[data-ready]");
  return page;
}

export async function ask(page, text) {
  await page.fill("#composer", text);
  await page.press("#composer", "Enter");
}

/** Waits until the desk is idle after its `nth` run. */
export async function ended(page, nth = 1) {
  await page.waitForFunction(
    (count) => document.querySelectorAll(".run").length === count && document.querySelector(".send").dataset.mode === "send",
    nth,
  );
}

/** The page as its headings and pictures. */
export const shape = (page) =>
  page.$$eval(".tiptap > h1, .tiptap > h2, .tiptap > img", (found) =>
    found.map((element) => `${element.localName}: ${element.textContent || element.getAttribute("src")}`),
  );

export const text = (page, selector) => page.$$eval(selector, (found) => found.map((element) => element.textContent));
export const html = (page) => page.$eval(".tiptap", (element) => element.innerHTML);

/** The document's HTML without what the editor draws around it. */
export const written = (page) =>
  page.$eval(".tiptap", (element) => [...element.children].map((child) => child.textContent).filter(Boolean).join("\n"));
