// Helpers for tests of the demo page.
import { openPage, serveDemo } from "./harness.mjs";

/** Messages that the page logs when Openverse or Wikipedia cannot be reached. */
export const offline = [/^outside: GET https:\/\/(api\.openverse\.org|\w+\.wikipedia\.org)\//, /^console: Failed to load resource: net::ERR_NAME_NOT_RESOLVED/];

/** Defines what tests need in the page to look into shadow trees. Playwright's selectors do so by themselves. */
export function shadowTrees() {
  const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
  /** Returns the elements that match a selector, of which each is in one tree, in all trees. */
  window.findAll = (selector, root = document) => roots(root).flatMap((tree) => [...tree.querySelectorAll(selector)]);
  window.find = (selector, root) => findAll(selector, root)[0] ?? null;
  /** Returns whether an element is in one that is inert, also across the borders of trees. */
  window.isInert = (element) => {
    for (let at = element; at; at = at.parentNode ?? at.host) if (at.inert) return true;
    return false;
  };
  /** Returns the element with the focus, in whichever tree it is. */
  window.focusedElement = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
}

/**
 * Opens the demo; edits are applied directly unless `mode` says otherwise. Answers of the demo model come at once unless
 * `pace` gives the milliseconds between their chunks, such as 16.
 */
export async function openDemo(t, options = {}) {
  const { search = "", mode = "auto", pace = 0, until = "html[data-ready]", prepare, ...rest } = options;
  const url = await serveDemo();
  const chosen = async (fresh) => {
    await fresh.context().addInitScript(shadowTrees);
    await fresh.context().addInitScript((value) => (window.demoPace = value), pace);
    if (mode) await fresh.addInitScript((value) => localStorage.setItem("copydesk.mode", value), mode);
    await prepare?.(fresh);
  };
  const page = await openPage(t, url + search, { viewport: { width: 1440, height: 900 }, locale: "en-US", prepare: chosen, ownTab: true, ...rest });
  await page.waitForSelector(until);
  return page;
}

/** Waits until two more frames are drawn: what events have caused has happened then, but for timers. */
export const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/** Waits until an element has stayed at its place for some frames, as when scrolling has ended. */
export const atRest = (page, selector) =>
  page.waitForFunction((selector) => {
    const { x, y } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
    const { last } = (window.watched ??= {});
    const count = x !== undefined && last?.selector === selector && last.x === x && last.y === y ? last.count + 1 : 0;
    window.watched.last = count < 6 ? { selector, x, y, count } : undefined;
    return count === 6;
  }, selector);

/** Waits until the last change is saved: what is still scheduled is saved now, and transactions run one after another. */
export const saved = async (page) => {
  await frames(page);
  await page.evaluate(
    () =>
      new Promise((done) => {
        // As if the page was left and shown again.
        for (const type of ["pagehide", "pageshow"]) dispatchEvent(new Event(type));
        const opening = indexedDB.open("copydesk");
        opening.onsuccess = () => {
          const { result: database } = opening;
          database.transaction([...database.objectStoreNames], "readwrite").oncomplete = () => (database.close(), done());
        };
      }),
  );
};

/** The editor, before the wasm is loaded. */
export const editable = ".tiptap[contenteditable=true]";

/** Holds the wasm back. `release` lets it through, `fail` breaks it off; later requests do the same. */
export async function holdWasm(page) {
  let decide;
  const decided = new Promise((resolve) => (decide = resolve));
  let verdict;
  await page.route(/\.wasm$/, async (route) => {
    verdict ??= await decided;
    return verdict === "release" ? route.continue() : route.abort();
  });
  const set = (next) => () => {
    verdict = next;
    decide(next);
  };
  return { release: set("release"), fail: set("fail") };
}

export async function ask(page, text) {
  await page.fill("#composer", text);
  await page.press("#composer", "Enter");
}

/** Puts the cursor before the block of the document that begins with a text. A click may meet what is moving still. */
export async function cursorBefore(page, text) {
  await page.evaluate((text) => {
    const block = [...document.querySelectorAll(".tiptap > *")].find((each) => each.textContent.startsWith(text));
    const { editor } = document.querySelector(".tiptap");
    editor.commands.focus(editor.view.posAtDOM(block, 0), { scrollIntoView: false });
  }, text);
  await page.waitForFunction(() => document.querySelector(".tiptap").editor.isFocused);
}

/** Opens the settings, whose form is loaded then. */
export async function openSettings(page) {
  await page.click(".actions .tool:last-child");
  await page.waitForSelector("dialog.settings[open]");
}

/** Waits until the assistant is idle after its `nth` run. */
export async function ended(page, nth = 1) {
  await page.waitForFunction(
    (count) => findAll(".run").length === count && find(".send")?.dataset.mode === "send" && !find("copydesk-conversation").isUpdatePending,
    nth,
  );
}

/** Returns the headings and images of the document. */
export const shape = (page) =>
  page.$$eval(".tiptap > h1, .tiptap > h2, .tiptap > img", (found) =>
    found.map((element) => `${element.localName}: ${element.textContent || element.getAttribute("src")}`),
  );

export const text = (page, selector) => page.$$eval(selector, (found) => found.map((element) => element.textContent.trim()));
export const html = async (page) => {
  const content = await page.$eval(".tiptap", (element) => element.innerHTML);
  // How a selected node is drawn is no content.
  return content.replaceAll(/ class="ProseMirror-selectednode"( draggable="true")?/g, "");
};

/** Returns the text of the document's blocks. */
export const written = (page) =>
  page.$eval(".tiptap", (element) => [...element.children].map((child) => child.textContent).filter(Boolean).join("\n"));

/** Returns the visible texts with a contrast below 4.5. */
export const lowContrasts = (page) =>
  page.evaluate(() => {
    const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const over = (colors) => {
      paint.clearRect(0, 0, 1, 1);
      for (const color of colors) {
        paint.fillStyle = color;
        paint.fillRect(0, 0, 1, 1);
      }
      return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    const textsIn = (root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) {
        const { currentNode: node } = walker;
        if (node.nodeType === Node.TEXT_NODE) texts.push(node);
        else if (node.shadowRoot) texts.push(...textsIn(node.shadowRoot));
      }
      return texts;
    };
    for (const node of textsIn(document.querySelector("dialog[open]") ?? document.body)) {
      const element = node.parentElement;
      if (!element || !node.data.trim() || !element.checkVisibility() || element.closest(".visually-hidden, .skip, script, style, option, :disabled")) continue;
      const behind = [];
      for (let at = element; at; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) behind.unshift(getComputedStyle(at).backgroundColor);
      const ground = over(["white", ...behind]);
      const ink = over([`rgb(${ground})`, getComputedStyle(element).color]);
      const [light, dark] = [luminance(ground), luminance(ink)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.className || element.localName}: ${node.data.slice(0, 40)}`);
    }
    return found;
  });
