// The editor page, with nodes that do whatever an attacker says, and a model under an attacker's control.
import "../editor/main.js";
import { hostile } from "./nodes.js";

const encoder = new TextEncoder();
const sse = (delta, finish = null) => encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** Draws at once what is otherwise drawn once a frame, so that every part of a stream is shown. */
function drawAtOnce() {
  window.requestAnimationFrame = (callback) => (queueMicrotask(() => callback(performance.now())), 1);
}

/**
 * Starts a run whose model is controlled by the caller: `begin(index, name)` starts a call, `say(index, part)` appends to its
 * arguments and resolves when they have been drawn, `finish()` ends the answer, `cut()` breaks it off. Then the model is done.
 */
async function speak(options = {}) {
  let out;
  let asked = 0;
  const fetch = async (_, { signal }) => {
    if (asked++) return new Response(`data: ${JSON.stringify({ choices: [{ delta: { content: "Done." }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
    const body = new ReadableStream({
      start(controller) {
        out = controller;
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } };
  const agent = new Agent({ document: editor, llmConfig, fetch, ...options });
  const events = [];
  let heard = () => {};
  agent.subscribe((event) => {
    events.push(event);
    if (event.type === "tool_args") heard();
  });
  const run = agent.prompt("Go");
  while (!out) await pause(1);
  const call = (index, named, part) => out.enqueue(sse({ tool_calls: [{ index, ...named, function: { ...(named && { name: named.name }), arguments: part } }] }));
  return {
    agent,
    events,
    run,
    begin: (index = 0, name = "update_section") => call(index, { id: `c${index}`, type: "function", name }, ""),
    async say(index, part) {
      const news = new Promise((resolve) => (heard = resolve));
      call(index, undefined, part);
      // Not every part changes the preview.
      await Promise.race([news, pause(5)]);
      await undefined;
    },
    finish() {
      out.enqueue(sse({}, "tool_calls"));
      out.close();
    },
    cut: () => out.error(new TypeError("network error")),
  };
}

const PREVIEW = ".copydesk-preview";
const PROPOSAL = ".ProseMirror-widget[data-copydesk-hunk]";
const TAGS = new Set("a blockquote br button code details div em h1 h2 h3 h4 h5 h6 hr img input ins label li mark ol p pre s span strong sub summary sup table tbody td th tr u ul".split(" "));
const ATTRIBUTES = new Set("aria-hidden aria-label checked class colspan contenteditable data-checked data-copydesk-hunk data-type disabled draggable open role rowspan start style tabindex title type".split(" "));
const OF_PICTURES = new Set(["src", "alt", "width", "height"]);
// What makes proposed text editable, and only that: nothing of the content sets it, nor takes the focus by itself.
const OF_TEXT = { contenteditable: /^true$/, spellcheck: /^false$/ };
const EVERYWHERE = { contenteditable: /^false$/, tabindex: /^(?:-1|0)$/ };
const STYLES = new Set(["user-select", "-webkit-user-select", "display"]);
// The frame around replaced blocks is placed by the anchors of its own hunk.
const ANCHOR = /^(?:anchor-name: --copydesk-h\d+-(?:start|end)|(?:top|bottom|inset-inline-(?:start|end)): anchor\(--copydesk-h\d+-(?:start|end) (?:top|bottom|start|end)\))$/;

/** Everything in previews and proposals that is not on these allow-lists: elements, attributes, classes and styles. */
function alive() {
  const found = new Set();
  const roots = [...document.querySelectorAll(`${PREVIEW}, ${PROPOSAL}`)];
  for (const element of roots.flatMap((root) => [root, ...root.querySelectorAll("*")])) {
    const { localName } = element;
    const isPicture = localName === "img" && !element.closest(PREVIEW);
    if (!TAGS.has(localName) || (localName === "img" && !isPicture)) found.add(`<${localName}>`);
    const isText = element.parentElement.matches(PROPOSAL) && element.classList.contains("copydesk-typable");
    if (!isText && element.classList.contains("copydesk-typable")) found.add(`${localName}.copydesk-typable`);
    if (element instanceof HTMLInputElement && !(element.type === "checkbox" && element.disabled)) found.add(`<input type=${element.type}>`);
    for (const name of element.getAttributeNames()) {
      const value = element.getAttribute(name);
      if (isText && OF_TEXT[name]?.test(value)) continue;
      const isAllowed = ATTRIBUTES.has(name) && (EVERYWHERE[name]?.test(value) ?? true);
      if (!isAllowed && !(isPicture && OF_PICTURES.has(name))) found.add(`${localName}[${name}]`);
    }
    for (const name of element.classList) if (!/^(?:copydesk|ProseMirror)-/.test(name)) found.add(`.${name}`);
    for (const name of element.style) {
      const style = `${name}: ${element.style.getPropertyValue(name)}`;
      if (!STYLES.has(name) && !(element.matches(".copydesk-box, .copydesk-frame") && ANCHOR.test(style))) found.add(style);
    }
  }
  return [...found];
}

const seen = { previews: 0, proposals: 0 };
/** Records what is in the page at this moment, so that tests can check that there was something. */
function look() {
  seen.previews += document.querySelectorAll(PREVIEW).length;
  seen.proposals += document.querySelectorAll(PROPOSAL).length;
  return alive();
}

Object.assign(window, { alive, drawAtOnce, hostile, look, pause, seen, speak });
