// TypeScript, and the oldest and newest versions of TipTap.

import { snippet } from "../environment.mjs";
import { html, NOTHING, TIPTAP } from "./common.mjs";

const TYPESCRIPT = { ts5: "npm:typescript@5.9.3", ts6: "npm:typescript@6.0.3", ts7: "npm:typescript@7.0.2" };

const STRICT = {
  target: "es2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUncheckedSideEffectImports: true,
  noEmit: true,
};

const config = (file, modules, options) => {
  const [module, moduleResolution] = modules;
  return JSON.stringify({ compilerOptions: { ...STRICT, module, moduleResolution, ...options }, files: [file] });
};

const MODULES = [["esnext", "bundler"], ["nodenext", "nodenext"]];

/** Every way to resolve modules, in every version. */
const compiled = (file, options, versions = Object.keys(TYPESCRIPT)) => ({
  files: Object.fromEntries(MODULES.map((modules) => [`${modules[1]}.json`, config(file, modules, options)])),
  tests: versions.flatMap((name) =>
    MODULES.map(([, resolution]) => ["node", `node_modules/${name}/bin/tsc`, "-p", `${resolution}.json`]),
  ),
});

const withFiles = ({ files, tests }, own) => ({ files: { ...files, ...own }, tests });

const DOM = { lib: ["es2022", "dom", "dom.iterable"], types: [], skipLibCheck: false };

/** Everything that a page can import. */
const ENTRIES = `
import "copydesk/review.css";
import "copydesk/actions.css";
import "./main.js";
import file from "copydesk/copydesk_bg.wasm";
import fullFile from "copydesk/copydesk_full_bg.wasm";
import { page } from "copydesk/inline";
import { full as inlined } from "copydesk/full/inline";
import { full, replay } from "copydesk/full";
import { init, type Build } from "copydesk";
import { Document } from "copydesk/worker";
import { folderWorkspace, type Workspace } from "copydesk/workspace";

export const builds: Build[] = [page, inlined, full];
export const load = (): Promise<void>[] => [init(file), init(fullFile, full)];
export const html = (document: Document): string => document.toHTML();
export const files = (handle: FileSystemDirectoryHandle): Workspace => folderWorkspace(handle);
export { replay };
`;

const NODE = `
import { Agent, Document, init, type AgentTool } from "copydesk";
import { full, replay } from "copydesk/full";
import { directoryWorkspace } from "copydesk/workspace";

export const files = await directoryWorkspace("book").list();
const tool: AgentTool = { name: "time", description: "", parameters: { type: "object" }, execute: async () => "noon" };
await init(new URL("file:///copydesk_bg.wasm"), full);
const document = Document.fromHTML("<p>a</p>");
const model = { api: "openai-completions", modelId: "m" } as const;
export const agent = new Agent({ document, tools: [tool], llmConfig: { model, streamOptions: { baseUrl: "" } } });
export { replay };
`;

const only = (version) => {
  const names = ["core", "pm", "extension-document", "extension-heading", "extension-paragraph", "extension-text"];
  return { ...Object.fromEntries(names.map((name) => [`@tiptap/${name}`, version])), ...TYPESCRIPT };
};

/** The editor of modules.test.mjs, without StarterKit: old ones install extensions of the newest TipTap. */
const EDITOR = `
import { Editor } from "@tiptap/core";
import Document from "@tiptap/extension-document";
import Heading from "@tiptap/extension-heading";
import Paragraph from "@tiptap/extension-paragraph";
import Text from "@tiptap/extension-text";
import { Agent, init } from "copydesk";
import { Copydesk } from "copydesk/tiptap";

init().then(async () => {
  const editor = new Editor({ element: document.body, extensions: [Document, Heading, Paragraph, Text, Copydesk] });
  const answer = document.body.appendChild(document.createElement("p"));
  const streamOptions = { baseUrl: "https://api.openai.com/v1", apiKey: "sk-test" };
  const model = { api: "openai-completions", modelId: "gpt-4.1-mini" } as const;
  const agent = new Agent({ document: editor, llmConfig: { model, streamOptions } });
  agent.subscribe((event) => event.type === "content" && answer.append(event.content));
  editor.commands.applyDocUpdate({ operation: "replace", sectionIndex: 0, content: "<p>Replaced.</p>" });
  editor.commands.clearContent();
  await agent.prompt("Write");
});
`;

const tiptap = (version, takes) => ({
  name: `TipTap ${version}`,
  packages: { ...only(version), vite: "8.3.8" },
  takes,
  ...withFiles(compiled("main.ts", { ...DOM, skipLibCheck: true }), {
    "main.ts": EDITOR,
    "index.html": html('<script type="module" src="/main.ts"></script>'),
  }),
});

const page = ({ tests, ...target }) => ({ ...target, build: [...tests, ["vite", "build"]], page: "dist", asks: true });

export const compilers = [
  {
    name: "TypeScript 5, 6 and 7, strict",
    packages: { ...TIPTAP, "@tiptap/extension-image": "3.34.0", ...TYPESCRIPT },
    takes: NOTHING,
    quick: true,
    ...withFiles(compiled("entries.ts", DOM), { "entries.ts": ENTRIES, "main.ts": snippet() }),
  },
  {
    name: "TypeScript 5, 6 and 7 for Node, without the DOM library",
    packages: { ...TYPESCRIPT, "@types/node": "26.6.6" },
    takes: NOTHING,
    quick: true,
    ...withFiles(compiled("node.ts", { lib: ["es2023"], types: ["node"], skipLibCheck: false }), { "node.ts": NODE }),
  },
  page(tiptap("2.27.0", NOTHING)),
  page(tiptap("3.0.0", NOTHING)),
  page(tiptap("3.34.0", NOTHING)),
];
