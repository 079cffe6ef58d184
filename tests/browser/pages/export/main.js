// Exports and Markdown files in a page. What the print dialog would show is kept in `printed`.
import { Editor } from "@tiptap/core";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import StarterKit from "@tiptap/starter-kit";
import { MarkdownFiles, readMarkdown, writeMarkdown } from "copydesk/markdown";
import * as exports from "copydesk/export";

const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentWindow");
window.printed = [];
Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
  get() {
    const view = get.call(this);
    view.print = () => {
      const images = [...view.document.images].map(({ complete, naturalWidth }) => complete && naturalWidth);
      printed.push({ title: view.document.title, text: view.document.body.innerText, images, frames: document.querySelectorAll("iframe").length });
      view.dispatchEvent(new Event("afterprint"));
    };
    return view;
  },
});

window.files = exports;

/** Exports with one of the functions; a file becomes its length. */
window.make = async (name, ...given) => {
  const made = await exports[name](...given);
  return made?.bytes ? { ...made, bytes: made.bytes.length } : made;
};

const editor = new Editor({
  element: document.body.appendChild(document.createElement("div")),
  extensions: [StarterKit, Image, TableKit, TaskList, TaskItem.configure({ nested: true })],
});

/** Opens a source in the editor, types a text at the start of its last paragraph, and saves it. */
window.edited = (source, typed) => {
  const file = readMarkdown(source, editor.schema);
  editor.commands.setContent(file.json);
  let last;
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === "paragraph" && node.content.size > 0) last = offset + 1;
  });
  if (typed && last) editor.view.dispatch(editor.state.tr.insertText(typed, last));
  const { text, lost } = writeMarkdown(file, editor.getJSON(), { locale: "en" });
  return { text, lost: lost.map(({ message }) => message), hasTyped: last !== undefined };
};

/** Opens a source in the editor, types a text behind a word, which `share` (from 0 to 1) chooses, and saves it. */
window.typedInside = (source, typed, share) => {
  const file = readMarkdown(source, editor.schema);
  editor.commands.setContent(file.json);
  const unchanged = writeMarkdown(file, editor.getJSON());
  const words = [];
  editor.state.doc.descendants((node, position) => {
    if (!node.isText) return;
    for (const { index, 0: letter } of node.text.matchAll(/[\p{L}\p{N}](?![\p{L}\p{N}])/gu)) words.push({ at: position + index + letter.length, old: node.text });
  });
  const word = words[Math.floor(share * words.length)];
  if (!word) return { unchanged: { text: unchanged.text, lost: unchanged.lost } };
  editor.view.dispatch(editor.state.tr.insertText(typed, word.at));
  const { text, lost } = writeMarkdown(file, editor.getJSON(), { locale: "en" });
  const again = readMarkdown(text, editor.schema);
  const isStable = writeMarkdown(again, again.json).text === text;
  return { unchanged: { text: unchanged.text, lost: unchanged.lost }, text, lost, old: word.old, isStable };
};

const { Worker } = window;
window.workers = 0;
window.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    workers += 1;
  }
};
const outcomeOf = async (work) => {
  try {
    return await work();
  } catch ({ code, message, details }) {
    return { code, message, details };
  }
};
const broken = () => new Worker(URL.createObjectURL(new Blob(["throw new Error('broken')"])), { type: "module" });

/** Opens sources, types at the end and saves twice, in a worker and in this thread: the results of both. */
window.inWorker = async (sources, kind) => {
  const files = new MarkdownFiles(editor.schema, kind === "broken" ? { worker: broken } : {});
  if (kind === "closed before") files.close();
  const both = [];
  for (const source of sources) {
    const work = (read, write) =>
      outcomeOf(async () => {
        const file = await read(source);
        const json = structuredClone(file.json);
        const first = await write(file, json);
        json.content.push({ type: "paragraph", content: [{ type: "text", text: "Typed *here*." }] }, { type: "paragraph" }, { type: "paragraph" });
        // Reactive frameworks pass proxies, which cannot be cloned.
        const ignoredAttributes = new Proxy(["id"], {});
        const second = await write(first.opened, json, { locale: "zh", ignoredAttributes });
        // A file of the worker can be saved in this thread.
        const here = writeMarkdown(file, file.json).text === source;
        const wrong = await outcomeOf(() => write(file, { type: "nothing" }));
        const circle = { type: "doc" };
        circle.content = [circle];
        const { code } = await outcomeOf(() => write(file, circle));
        return { file, first, second, here, wrong, code };
      });
    both.push([
      await work((...given) => files.read(...given), (...given) => files.write(...given)),
      await work((given) => readMarkdown(given, editor.schema), writeMarkdown),
    ]);
    if (kind === "closed") files.close();
  }
  files.close();
  return JSON.parse(JSON.stringify(both));
};

/** Opens and saves a source in a worker: the milliseconds of each, and of the longest task of the page meanwhile. */
window.tasksOf = async (source, typed) => {
  const long = [];
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const files = new MarkdownFiles(editor.schema);
  await files.read("");
  const timed = async (work) => {
    const from = performance.now();
    const made = await work();
    return [performance.now() - from, made];
  };
  const [opened, file] = await timed(() => files.read(source));
  // The page's own work is none of the worker's.
  const json = { ...file.json, content: [...file.json.content, { type: "paragraph", content: [{ type: "text", text: typed }] }] };
  const [saved, { text }] = await timed(() => files.write(file, json));
  await new Promise((resolve) => setTimeout(resolve, 100));
  files.close();
  observer.disconnect();
  return { opened, saved, longest: Math.max(0, ...long), hasTyped: text.includes(typed) };
};
window.ready = true;
