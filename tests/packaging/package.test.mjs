// The package as npm would publish it: its files, and its use in Node and TypeScript.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pkg = join(root, "pkg");
const home = mkdtempSync(join(tmpdir(), "copydesk-package-"));
const installed = join(home, "node_modules", "copydesk");
const manifest = JSON.parse(readFileSync(join(pkg, "package.json"), "utf8"));
/** The entries with elements, and that with their words. */
const elements = Object.keys(manifest.exports).filter((entry) => /^\.\/ui(?:\/|$)/.test(entry));
let packed;

before(() => {
  const said = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", home], {
    cwd: pkg,
    encoding: "utf8",
  });
  const answer = JSON.parse(said);
  // Newer npm returns an object by package name, older versions a list.
  [packed] = Array.isArray(answer) ? answer : Object.values(answer);
  install(home);
});

/** Unpacks the tarball as npm would. Returns the folder. */
function install(project) {
  const place = join(project, "node_modules", "copydesk");
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", join(home, packed.filename), "--strip-components=1", "-C", place]);
  return place;
}

after(() => rmSync(home, { recursive: true, force: true }));

test("the tarball holds the compiled sources, the wasm, the readme and the licences, and nothing else", () => {
  const written = readdirSync(join(root, "pkg-template/src"), { recursive: true });
  const sources = written.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
  const expected = [
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "LICENSE-THIRD-PARTY",
    "README.md",
    "actions.css",
    "custom-elements.json",
    "package.json",
    "review.css",
    "style.d.ts",
    "wasm-file.d.ts",
    ...["wasm/page", "wasm/full"].flatMap((dir) => [
      `${dir}/copydesk.d.ts`,
      `${dir}/copydesk.js`,
      `${dir}/copydesk_bg.base64.d.ts`,
      `${dir}/copydesk_bg.base64.js`,
      `${dir}/copydesk_bg.wasm`,
    ]),
    ...["copydesk.d.ts", "copydesk.js", "copydesk_bg.wasm", "copydesk_later_bg.wasm"].map((name) => `wasm/parts/${name}`),
    // The messages of the wasm in languages that are not compiled in.
    "languages/es/wasm-messages.js",
    // The components for the elements of the manifest.
    ...["react", "vue"].flatMap((name) => [`ui/${name}.js`, `ui/${name}.d.ts`]),
    ...sources.flatMap((name) => [name.replace(/\.ts$/, ".js"), name.replace(/\.ts$/, ".d.ts")]),
  ];
  // The Markdown parser is bundled.
  const licences = readFileSync(join(installed, "LICENSE-THIRD-PARTY"), "utf8");
  for (const name of ["micromark", "mdast-util-from-markdown", "micromark-extension-cjk-friendly"]) assert.match(licences, new RegExp(`^${name} \\d`, "m"));
  const paths = packed.files.map((file) => file.path);
  const isBundled = (path) => /^markdown-document\/third-party-[\w-]+\.js$/.test(path);
  assert.ok(paths.some(isBundled));
  assert.deepEqual(paths.filter((path) => !path.startsWith("cjs/") && !isBundled(path)).sort(), expected.sort());
  // CommonJS is bundled: a few modules, and the types of all.
  const types = expected.filter((path) => path.endsWith(".d.ts") && !path.startsWith("wasm/"));
  assert.deepEqual(paths.filter((path) => /^cjs\/.*\.d\.ts$/.test(path)).sort(), types.map((path) => `cjs/${path}`).sort());
  for (const name of ["index.js", "tiptap.js", "full.js", "package.json"]) assert.ok(paths.includes(`cjs/${name}`), name);
});

test("publint finds nothing, and attw only what ES modules and old resolution imply", async () => {
  const bytes = new Uint8Array(readFileSync(join(home, packed.filename)));
  const { messages, pkg: linted } = await publint({ pack: { tarball: bytes.buffer.slice(0, bytes.length) }, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, linted)), []);
  const { problems } = await checkPackage(createPackageFromTarballData(bytes));
  // node10 ignores `exports`; these entries have no CommonJS.
  const modulesOnly = [
    "./service-worker",
    "./worker",
    "./worker-agent",
    "./worker-agent/worker",
    "./workspace/worker",
    "./inline",
    "./full/inline",
    "./parts",
    "./additions",
    "./assistant",
    "./autosave",
    "./find",
    "./insert",
    "./project",
    "./room",
    "./ghost-text",
    "./pdf",
    ...elements,
    // Their libraries have no CommonJS either.
    "./markdown",
    "./markdown/worker",
    "./export",
  ];
  const isKnown = ({ kind, entrypoint, resolutionKind }) =>
    resolutionKind === "node10" || (kind === "CJSResolvesToESM" && modulesOnly.includes(entrypoint));
  assert.deepEqual(problems.filter((problem) => !isKnown(problem)), []);
});

test("package.json says where the package comes from, and what its readme links to is in the repository", () => {
  const repository = "https://github.com/copydesk/copydesk";
  assert.equal(manifest.repository.url, `git+${repository}.git`);
  assert.ok(existsSync(join(root, manifest.repository.directory, "package.json")));
  assert.ok(manifest.homepage.startsWith(repository) && manifest.bugs.startsWith(repository));
  for (const name of ["author", "description", "keywords", "license", "engines"]) assert.ok(manifest[name], name);
  const links = [...readFileSync(join(installed, "README.md"), "utf8").matchAll(/\]\((\S+?)\)/g)].map(([, link]) => link);
  const raw = "https://raw.githubusercontent.com/copydesk/copydesk/HEAD/";
  const paths = links.map((link) => [`${repository}/blob/HEAD/`, raw].filter((start) => link.startsWith(start)).map((start) => link.slice(start.length))[0]);
  const named = paths.filter((path) => path);
  assert.ok(named.includes("docs/demo.png") && named.length > 4);
  for (const path of named) assert.ok(existsSync(join(root, path.replace(/#.*/, ""))), path);
  // npm shows the readme outside of the repository.
  for (const link of links) assert.match(link, /^https:/);
});

test("the install commands name what the example imports", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [example] = /^```js\n[^]*?^```$/m.exec(readme);
  const packages = [...example.matchAll(/from "(@tiptap\/[\w-]+)/g)].map(([, name]) => name);
  assert.ok(packages.length >= 3);
  for (const path of ["README.md", "pkg-template/README.md", "docs/install.md"]) {
    const command = /npm install \S*copydesk\S* @tiptap.*/.exec(readFileSync(join(root, path), "utf8"))?.[0].split(" ");
    for (const name of [...packages, "@tiptap/pm"]) assert.ok(command?.includes(name), `${path}: ${name}`);
  }
});

test("a second copy of ProseMirror is recognised, and what the message advises works", () => {
  const project = join(home, "two-copies");
  const modules = join(project, "node_modules");
  mkdirSync(modules, { recursive: true });
  // The app's own TipTap, as npm installs it.
  const theirs = readdirSync(join(root, "node_modules")).filter((name) => /^(?:@tiptap|prosemirror-.*|orderedmap|rope-sequence|w3c-keyname|linkifyjs)$/.test(name));
  for (const name of theirs) cpSync(join(root, "node_modules", name), join(modules, name), { recursive: true });
  const started = (code) => {
    const program = `
      import { Editor } from "@tiptap/core";
      import StarterKit from "@tiptap/starter-kit";
      import { Copydesk } from "copydesk/tiptap";
      try {
        const content = { type: "doc", content: [{ type: "paragraph" }] };
        const editor = new Editor({ element: null, extensions: [StarterKit, Copydesk], content });
        ${code}
      } catch (error) {
        console.log(error.code, error.message);
      }`;
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], { cwd: project, encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stderr);
    return ran.stdout.trim();
  };
  // What `npm install ./pkg` does: the package beside another TipTap, the repository's.
  symlinkSync(pkg, join(modules, "copydesk"));
  assert.match(started(""), /^second_prosemirror .*two copies of ProseMirror.*`npm pack`.*resolve\.dedupe/);
  rmSync(join(modules, "copydesk"));
  // The way out: the file of `npm pack`.
  install(project);
  assert.equal(started("console.log(editor.schema.topNodeType.name);"), "doc");
});

test("the version is the crate's", () => {
  const [, version] = /^version = "(.*)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));
  assert.equal(manifest.version, version);
});

/** Returns the packages that a module and those below it import; with `atOnce` those that are imported before anything runs. */
function packagesOf(name, atOnce, seen = new Set()) {
  if (seen.has(name)) return [];
  seen.add(name);
  const code = readFileSync(join(installed, name), "utf8");
  const imports = [...code.matchAll(/^(?:import\s*|(?:import|export)\b[^"'=;]*\bfrom\s*)["']([^"']+)["']/gm)];
  if (!atOnce) imports.push(...code.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g));
  const found = imports.flatMap(([, path]) => (path.startsWith(".") ? packagesOf(join(dirname(name), path), atOnce, seen) : [/^(?:@[^/]+\/)?[^/]+/.exec(path)[0]]));
  return found.filter((name) => name !== "copydesk");
}

test("the package brings at most three dependencies, in the versions that are tested; all others are optional", () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  assert.ok(Object.keys(dependencies).length <= 3, Object.keys(dependencies).join());
  for (const [name, range] of Object.entries(dependencies)) {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    assert.equal(range, `^${version}`, `${name}: what is tested is what is asked for`);
  }
  assert.deepEqual(Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional), []);
  // Whoever imports all elements needs no package that is not installed with copydesk, besides the editor's.
  const ofElements = new Set(packagesOf(manifest.exports["./ui"].default, false));
  assert.deepEqual([...ofElements].filter((name) => !name.startsWith("@tiptap/")).sort(), Object.keys(dependencies).sort());
  // These have no dynamic imports.
  const inOnePiece = ["index.edge-light.js", "index.workerd.js", "serve-agents.development.js", "serve-agents.js", "worker.development.js", "worker.js"];
  const modules = readdirSync(installed, { recursive: true }).filter((name) => name.endsWith(".js"));
  const importers = modules.filter((name) => /from\s*["']\.\/markdown\/markdown-content\.js["']/.test(readFileSync(join(installed, name), "utf8")));
  assert.deepEqual(importers.sort(), inOnePiece);
});

test("a package is imported only by the entries that docs/install.md names, and at once or on demand as it says", () => {
  const [, section] = /^## What entry points need$([^]*?)^## /m.exec(readFileSync(join(root, "docs/install.md"), "utf8"));
  const rows = [...section.matchAll(/^\| (`.+?) \| (.+?) \| (.*?) ?\|$/gm)].map((row) => row.slice(1));
  const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const stated = new Map(rows.flatMap(([packages, entries, loaded]) => namesIn(packages).map((name) => [name, { entries: loaded ? namesIn(entries) : [], isAtOnce: loaded === "at once" }])));
  // The editor's are those of the app.
  const all = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) => !/^@tiptap\/(?:core|pm)$/.test(name));
  assert.deepEqual([...stated.keys()].sort(), all.sort());
  const entries = Object.entries(manifest.exports).filter(([, { default: path }]) => path?.endsWith(".js"));
  const found = new Map(all.map((name) => [name, []]));
  for (const [entry, { default: path }] of entries) {
    const [atOnce, used] = [true, false].map((atOnce) => new Set(packagesOf(path, atOnce)));
    for (const name of used) {
      if (/^@tiptap\/(?:core|pm)$/.test(name)) continue;
      assert.ok(stated.has(name), `copydesk${entry.slice(1)} imports ${name}, which is no dependency`);
      // Components of React and Vue import these at once, and the elements when they draw them.
      const isComponents = /^\.\/ui\/(?:react|vue)$/.test(entry);
      if (isComponents && !atOnce.has(name)) continue;
      assert.equal(atOnce.has(name), stated.get(name).isAtOnce, `copydesk${entry.slice(1)}: ${name} at once`);
      // The parts of copydesk/ui are stated by its name.
      const named = isComponents ? entry : entry.replace(/^\.\/ui\/.*/, "./ui");
      found.get(name).push(named.replace(".", "copydesk"));
    }
  }
  for (const [name, { entries: named }] of stated) assert.deepEqual([...new Set(found.get(name))].sort(), named.sort(), name);
});

test("an export or a skill whose package is not installed fails with an error that names it", () => {
  const project = join(home, "without");
  install(project);
  for (const name of ["@tiptap", ...Object.keys(manifest.dependencies).map((name) => name.split("/")[0])])
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
  const said = node(`
    import { toDOCX, toEPUB, toHTML } from "copydesk/export";
    import { skills } from "copydesk/skills";
    const doc = (node) => ({ type: "doc", content: [node] });
    const text = doc({ type: "paragraph", content: [{ type: "text", text: "Tea" }] });
    const image = doc({ type: "image", attrs: { src: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" } });
    const outcome = (call) => call.then(({ lost }) => lost, ({ code, message }) => [code, message]);
    const answer = "---\\nname: tips\\ndescription: Tips.\\n---\\nText.";
    const tips = skills([{ id: "tips", source: "https://a.test/tips" }], { fetch: async () => new Response(answer), locale: "en" });
    await tips.refresh("tips");
    const [{ error }] = tips.list;
    console.log(JSON.stringify([await outcome(toDOCX(text)), await outcome(toEPUB(image)), [error.code, error.message], await outcome(toEPUB(text)), toHTML(image).includes("<img")]));
  `, project);
  const [docx, epub, skill, ...without] = JSON.parse(said);
  for (const [[code, message], expected, name] of [[docx, "docx_not_installed", "docx"], [epub, "image_size_not_installed", "image-size"], [skill, "skill_library_missing", "js-yaml"]]) {
    assert.equal(code, expected);
    assert.match(message, new RegExp(`npm install ${name}\\b`));
  }
  assert.deepEqual(without, [[], true]);
});

test("every path in exports is in the tarball", () => {
  const addressesOf = (entry) => (typeof entry === "string" ? entry : Object.values(entry).flatMap(addressesOf));
  const addresses = addressesOf(manifest.exports);
  for (const address of addresses) assert.ok(existsSync(join(installed, address)), `${address} is missing`);
});

test("no module of the package uses top-level await or imports a Node module", () => {
  for (const name of readdirSync(installed, { recursive: true }).filter((name) => name.endsWith(".js"))) {
    const code = readFileSync(join(installed, name), "utf8");
    assert.doesNotMatch(code, /^(?:(?:export )?(?:const|let|var) .*= )?await /m, name);
    assert.doesNotMatch(code, /(?:from|import)\s*\(?\s*["']node:/, name);
  }
});

/** Runs a module in a folder where the package is installed: without TipTap if none is given. Returns what it logs. */
function node(code, cwd = home) {
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd, encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
  return ran.stdout.trim();
}

test("Node loads the wasm from the disk, once, and reads a document", () => {
  const said = node(`
    import { init, Document } from "copydesk";
    const first = init();
    if (init() !== first) throw new Error("init is not memoised");
    await first;
    console.log(Document.fromHTML("<h1>Tea</h1><p>A leaf.</p>").toHTML());
  `);
  assert.equal(said, "<h1>Tea</h1><p>A leaf.</p>");
});

test("Node uses the full build, which records and replays", () => {
  const said = node(`
    import { init, Agent, Document } from "copydesk";
    await init();
    const document = Document.fromHTML("<p>a</p>");
    const agent = new Agent({ document, record: true, llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://127.0.0.1:1" } } });
    console.log(JSON.parse(agent.recording).before.content[0].content[0].text);
  `);
  assert.equal(said, "a");
  const chosen = node(`
    import { init, Document } from "copydesk";
    import { full, replay } from "copydesk/full";
    await init(new URL(import.meta.resolve("copydesk/copydesk_full_bg.wasm")), full);
    const { code } = await replay({}).catch((error) => error);
    console.log(code, Document.fromHTML("<p>a</p>").toHTML());
  `);
  assert.equal(chosen, "invalid_recording <p>a</p>");
});

test("Node uses the full build also where it imitates a page", () => {
  const said = node(`
    import { init, Document } from "copydesk";
    globalThis.window = globalThis;
    globalThis.document = { documentElement: { lang: "en" } };
    globalThis.DOMParser = class {};
    await init();
    console.log(Document.fromHTML("<p>a</p>").toHTML());
  `);
  assert.equal(said, "<p>a</p>");
});

test("a source without a build is used with the build that it contains; the page build names the way to what it lacks", () => {
  const said = node(`
    import { init, Agent, Document } from "copydesk";
    import { replay } from "copydesk/full";
    await init(new URL(import.meta.resolve("copydesk/copydesk_bg.wasm")));
    const document = Document.fromJSON({ type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a" }] }] });
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://127.0.0.1:1" } };
    const lacks = [
      () => Document.fromHTML("<p>a</p>"),
      () => Document.fromHTML("<p>a</p>", { locale: "zh" }),
      () => new Agent({ document, record: true, llmConfig }),
      () => document.apply({ operation: "append", title: "T", content: "<p>b</p>" }),
    ].map((call) => {
      try { call(); } catch (error) { return [error.name, error.code, /init\\(undefined, full\\).*copydesk\\/full|copydesk\\/full.*init\\(undefined, full\\)/.test(error.message)]; }
    });
    const { code } = await replay({}).catch((error) => error);
    console.log(JSON.stringify({ lacks, html: document.toHTML(), code }));
  `);
  const lack = ["CopydeskError", "full_build_needed", true];
  assert.deepEqual(JSON.parse(said), { lacks: [lack, lack, lack, lack], html: "<p>a</p>", code: "invalid_recording" });
});

test("the example of the package's readme that needs no editor runs unchanged", () => {
  // The example that needs no editor.
  const blocks = [...readFileSync(join(pkg, "README.md"), "utf8").matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  const code = blocks.find((code) => !code.includes("copydesk/tiptap"));
  const lines = node(code).split("\n");
  assert.equal(lines.at(-1), "<h1>Tea</h1><p>A leaf.</p><h2>History</h2><p>Very old.</p>");
});

for (const [what, source] of [
  ["an address of the file", `new URL(import.meta.resolve("copydesk/copydesk_full_bg.wasm"))`],
  ["the address as a string", `import.meta.resolve("copydesk/copydesk_full_bg.wasm")`],
  ["its bytes", `readFileSync(file)`],
  ["its buffer", `new Uint8Array(readFileSync(file)).buffer`],
  ["a compiled module", `new WebAssembly.Module(readFileSync(file))`],
  ["a response", `new Response(readFileSync(file), { headers: { "content-type": "application/wasm" } })`],
  ["a promise of a response without a type", `Promise.resolve(new Response(readFileSync(file)))`],
]) {
  test(`init takes ${what}`, () => {
    const said = node(`
      import { readFileSync } from "node:fs";
      import { init, Document } from "copydesk";
      const file = new URL(import.meta.resolve("copydesk/copydesk_full_bg.wasm"));
      await init(${source});
      console.log(Document.fromHTML("<p>a</p>").toHTML());
    `);
    assert.equal(said, "<p>a</p>");
  });
}

test("a failed init states the fix and can be repeated", () => {
  const said = node(`
    import { init, Document } from "copydesk";
    const { code, message, cause } = await init(new Response("no", { status: 404 })).catch((error) => error);
    await init();
    console.log(JSON.stringify({ code, message, cause: cause instanceof Error, html: Document.fromHTML("<p>a</p>").toHTML() }));
  `);
  const { message, ...rest } = JSON.parse(said);
  assert.deepEqual(rest, { code: "wasm_load", cause: true, html: "<p>a</p>" });
  assert.match(message, /status 404.*Pass init\(\)/);
});

test("without the wasm file init fails with the way out, and the inlined build loads", () => {
  const copy = install(join(home, "without-wasm"));
  rmSync(join(copy, "wasm/full/copydesk_bg.wasm"));
  const said = node(`
    const { init, Document } = await import(${JSON.stringify(`file://${copy}/index.js`)});
    const { code, message } = await init().catch((error) => error);
    const { full } = await import(${JSON.stringify(`file://${copy}/full-inline.js`)});
    await init(undefined, full);
    console.log(JSON.stringify({ code, message, html: Document.fromHTML("<p>a</p>").toHTML() }));
  `);
  const { message, ...rest } = JSON.parse(said);
  assert.deepEqual(rest, { code: "wasm_load", html: "<p>a</p>" });
  assert.match(message, /copydesk\/full\/inline/);
});

test("files that exports does not name cannot be imported", () => {
  assert.equal(node(`console.log(await import("copydesk/loading/load.js").catch((error) => error.code))`), "ERR_PACKAGE_PATH_NOT_EXPORTED");
});

for (const [moduleResolution, module] of [
  ["bundler", "esnext"],
  ["nodenext", "nodenext"],
]) {
  test(`the types compile in a strict project with moduleResolution ${moduleResolution}`, () => {
    const project = join(home, moduleResolution);
    install(project);
    // What npm installs beside it.
    for (const name of ["@tiptap", "@types", "@zip.js", "diff", "lit", "react", "vue"]) symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(project, "index.ts"),
      `import { Agent, init, Document, type AgentTool, type InitSource, type Section } from "copydesk";
      import { full, replay, type Replayed } from "copydesk/full";
      import { Copydesk } from "copydesk/tiptap";
      import { importZip, indexedDBWorkspace, type FileVersion, type Workspace } from "copydesk/workspace";
      import { Editor } from "@tiptap/core";
      const source: InitSource = new URL("https://example.com/copydesk_bg.wasm");
      await init(source);
      await init(undefined, full);
      export const played: Promise<Replayed> = replay("{}");
      const html: string = Document.fromHTML("<p>a</p>").toHTML();
      export const titles = (sections: Section[]): string[] => sections.map((section) => section.title);
      export const editor = new Editor({ extensions: [Copydesk], content: html });
      // @ts-expect-error A number is not HTML.
      Document.fromHTML(1);

      const weather: AgentTool = {
        name: "weather",
        description: "",
        parameters: { type: "object", properties: { city: { type: "string" } } },
        needsApproval: ({ city }) => city !== "Oslo",
        async execute(_id, { city }, signal, onUpdate) {
          onUpdate({ city });
          return signal.aborted ? null : { content: [{ type: "text", text: "cold" }], details: 1 };
        },
      };
      export const agent = new Agent({
        document: editor,
        llmConfig: {
          model: { api: "anthropic-messages", modelId: "m", cost: { input: 3, output: 15 }, compat: { thinkingFormat: "qwen" } },
          streamOptions: { baseUrl: "https://api.example.com" },
        },
        tools: [weather],
        needsApproval: ["*"],
        thinkingLevel: "low",
        steeringMode: "all",
        beforeToolCall: ({ toolCall, args }) => ({ block: toolCall.name === "weather" && !args.city, reason: "Where?" }),
        afterToolCall: async ({ result, isError }) => (isError ? { content: result } : undefined),
        transformContext: (messages) => messages.filter((message) => message.role !== "customNote"),
        getApiKey: async (provider) => (provider === "api.example.com" ? "key" : undefined),
        logger: { warning: (message, fields) => console.warn(message, fields.requestId) },
      });
      export const files: Workspace = indexedDBWorkspace("book", { locale: "zh-CN", worker: () => new Worker("worker.js") });
      export const versions: Promise<FileVersion[]> = files.versions("a.md");
      export const imported: Promise<string[]> = importZip(files, new Blob()).then(({ written }) => written);
      export const writer = new Agent({ workspace: files, llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://api.example.com" } } });
      agent.subscribe((event) => {
        if (event.type === "approval_request") agent.approve(event.toolId, event.toolInput.city === "Bergen", "Not there.");
        if (event.type === "retry") console.log(event.delayMs, event.reason);
      });
      agent.steer("Hurry");
      agent.messages = agent.messages.slice(-2);
      export const money: number = agent.ledger.totals.cost;
      export const text = agent.state.streamingMessage?.content.map((part) => (part.type === "text" ? part.text : ""));
      // @ts-expect-error The state is a snapshot.
      agent.state.messages = [];
      `,
    );
    writeFileSync(
      join(project, "elements.tsx"),
      `import type { GlobalComponents } from "vue";
      import { settingsOf } from "copydesk/assistant";
      import { useAssistant, type CopydeskElements } from "copydesk/react";
      import { memoryWorkspace } from "copydesk/workspace";
      import "copydesk/ui";
      import "copydesk/vue";
      import { editor } from "./index.js";
      const agent = { llmConfig: { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "https://api.example.com" } } } as const;
      document.createElement("copydesk-assistant").addEventListener("mode-change", ({ detail }) => detail.mode === "review");
      export const inReact = <copydesk-assistant editor={editor} agent={agent} modes={["review"]} className="side" onmessage={({ detail }) => console.log(detail.text)} />;
      // @ts-expect-error There is no such mode.
      export const wrong = <copydesk-assistant modes={["quick"]} />;
      // @ts-expect-error There is no such property.
      export const other = <copydesk-review-bar agent={agent} />;
      export const tags: (keyof CopydeskElements)[] = ["copydesk-selection-menu"];
      type InVue = InstanceType<GlobalComponents["copydesk-assistant"]>["$props"];
      export const inVue: InVue = { editor, agent, onModeChange: ({ detail }) => console.log(detail.mode) };
      export const settings = <copydesk-settings settings={settingsOf("ollama")} parts={["model"]} onsettings-save={({ detail }) => console.log(detail.settings.modelId)} />;
      // @ts-expect-error A method is no property.
      export const method = <copydesk-files refresh={() => {}} />;
      document.createElement("copydesk-files").addEventListener("open-file", ({ detail }) => console.log(detail.path, detail.line));
      type FilesInVue = InstanceType<GlobalComponents["copydesk-files"]>["$props"];
      export const filesInVue: FilesInVue = { workspace: memoryWorkspace(), current: "a.md", onOpenFile: ({ detail }) => console.log(detail.path) };
      export const runs = (): string[] => useAssistant(editor, { agent }).state?.runs.map((run) => run.prompt) ?? [];
      `,
    );
    writeFileSync(
      join(project, "components.tsx"),
      `import { useRef } from "react";
      import { h } from "vue";
      import type { Editor } from "@tiptap/core";
      import * as react from "copydesk/ui/react";
      import * as vue from "copydesk/ui/vue";
      const { CopydeskAssistant, CopydeskDiff, CopydeskFiles, CopydeskOutline } = react;
      declare const editor: Editor | null;
      export function Side() {
        const files = useRef<react.CopydeskFiles>(null);
        return (
          <CopydeskAssistant editor={editor} modes={["review"]} className="side" onClick={() => files.current?.refresh()} onModeChange={({ detail }) => detail.mode === "ask"}>
            <CopydeskFiles ref={files} slot="end" onOpenFile={({ detail }) => console.log(detail.path, detail.line)} />
          </CopydeskAssistant>
        );
      }
      // @ts-expect-error There is no such mode.
      export const wrongValue = <CopydeskAssistant modes={["quick"]} />;
      // @ts-expect-error A comparison has no editor.
      export const wrongProperty = <CopydeskDiff editor={editor} />;
      // @ts-expect-error A method is no property.
      export const method = <CopydeskFiles refresh={() => {}} />;
      // @ts-expect-error An outline has no messages.
      export const wrongEvent = <CopydeskOutline onMessage={() => {}} />;
      // @ts-expect-error The detail has no such member.
      export const wrongDetail = <CopydeskOutline onSectionSelect={({ detail }) => detail.path} />;
      // @ts-expect-error The ref is another element.
      export const wrongRef = (ref: { current: react.CopydeskDiff | null }) => <CopydeskFiles ref={ref} />;

      const onModeChange: InVue["onModeChange"] = ({ detail }) => console.log(detail.mode);
      type InVue = InstanceType<typeof vue.CopydeskAssistant>["$props"];
      export const inVue = h(vue.CopydeskAssistant, { editor, modes: ["review"], class: "side", onModeChange }, { end: () => [h(vue.CopydeskDiff, { oldText: "a" })] });
      export const refresh = (files: InstanceType<typeof vue.CopydeskFiles>): void => files.element?.refresh();
      // @ts-expect-error There is no such mode.
      export const wrongInVue: InVue = { modes: ["quick"] };
      // @ts-expect-error A comparison has no editor.
      export const otherInVue: InstanceType<typeof vue.CopydeskDiff>["$props"] = { editor };
      // @ts-expect-error The detail has no such member.
      export const detailInVue: InVue = { onModeChange: ({ detail }) => detail.path };
      // @ts-expect-error A method is no property.
      export const methodInVue: InstanceType<typeof vue.CopydeskFiles>["$props"] = { refresh: () => {} };
      // @ts-expect-error An outline has no messages.
      export const eventInVue: InstanceType<typeof vue.CopydeskOutline>["$props"] = { onMessage: () => {} };
      // @ts-expect-error There is no such slot.
      export const slotInVue = (one: InstanceType<typeof vue.CopydeskAssistant>) => one.$slots.foot;
      `,
    );
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          jsx: "react-jsx",
          target: "es2022",
          lib: ["es2022", "dom", "dom.iterable"],
          types: [],
          module,
          moduleResolution,
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: true,
          noEmit: true,
        },
        files: ["index.ts", "elements.tsx", "components.tsx"],
      }),
    );
    const tsc = (...args) => {
      const ran = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...args], { cwd: project, encoding: "utf8" });
      return ran.stdout + ran.stderr;
    };
    assert.equal(tsc("-p", "."), "");
    // Again with the declarations checked as strictly as sources; TipTap's own are excluded.
    const checked = tsc("-p", ".", "--skipLibCheck", "false", "--pretty", "false");
    assert.deepEqual(checked.split("\n").filter((line) => line.includes("node_modules/copydesk/")), []);
  });
}

test("use before init is a specific error", () => {
  const said = node(`
    import { Agent, Document } from "copydesk";
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://127.0.0.1:1" } };
    for (const call of [() => Document.fromHTML("<p>a</p>"), () => new Agent({ document: { storage: {} }, llmConfig })]) {
      try { call() } catch (error) { console.log(error.name, error.code, /Await init\\(\\).*in a component.*\`init\\(\\)\\.then/.test(error.message)) }
    }
  `);
  assert.equal(said, "CopydeskError not_loaded true\nCopydeskError not_loaded true");
});

test("an agent works in Node, on a standalone document and with a custom fetch", () => {
  const said = node(`
    import { Agent, Document, init } from "copydesk";
    await init();
    const document = Document.fromHTML("<h2>A</h2><p>old</p>");
    const call = { operation: "replace", sectionIndex: 1, content: "<p>new</p>" };
    const deltas = [
      { tool_calls: [{ index: 0, id: "c0", function: { name: "get_document", arguments: "{}" } }] },
      { tool_calls: [{ index: 0, id: "c1", function: { name: "update_section", arguments: JSON.stringify(call) } }] },
      { content: "Done." },
    ];
    const asked = [];
    const fetch = async (url, init) => {
      asked.push([url, init.method, init.headers.authorization]);
      const chunk = { choices: [{ delta: deltas.shift(), finish_reason: "stop" }] };
      return new Response("data: " + JSON.stringify(chunk) + "\\n\\ndata: [DONE]\\n\\n");
    };
    const model = { api: "openai-completions", modelId: "m" };
    const agent = new Agent({ document, fetch, llmConfig: { model, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } } });
    const { status, text } = await agent.prompt("Go");
    console.log(JSON.stringify({ status, text, html: document.toHTML(), asked, messages: agent.messages.length }));
  `);
  const request = ["http://localhost/v1/chat/completions", "POST", "Bearer k"];
  const expected = { status: "complete", text: "Done.", html: "<h2>A</h2><p>new</p>", asked: [request, request, request], messages: 7 };
  assert.deepEqual(JSON.parse(said), expected);
});

test("a doc_update event brings another copy of the document to the same state", () => {
  const said = node(`
    import { Agent, Document, init } from "copydesk";
    await init();
    const [document, copy] = [1, 2].map(() => Document.fromHTML("<p>Tea.</p><h2>A</h2><p>old</p>"));
    const calls = [
      ["update_section", { operation: "insert", sectionIndex: 1, title: "New", content: "<p>n</p>" }],
      ["edit_current_editor_document", { start_line: 1, end_line: 1, content: "Green tea.\\nHot." }],
      ["replace_text", { old: "old", new: "older" }],
    ];
    const toolCalls = calls.map(([name, given], index) => ({ index, id: "c" + index, function: { name, arguments: JSON.stringify(given) } }));
    const deltas = [{ tool_calls: toolCalls }, { content: "Done." }];
    const fetch = async () => {
      const chunk = { choices: [{ delta: deltas.shift(), finish_reason: "stop" }] };
      return new Response("data: " + JSON.stringify(chunk) + "\\n\\ndata: [DONE]\\n\\n");
    };
    const model = { api: "openai-completions", modelId: "m" };
    const agent = new Agent({ document, fetch, llmConfig: { model, streamOptions: { baseUrl: "http://localhost/v1", apiKey: "k" } } });
    const same = [];
    agent.subscribe((event) => {
      if (event.type !== "doc_update") return;
      copy.apply(event);
      same.push(copy.toHTML() === document.toHTML());
    });
    await agent.prompt("Go");
    console.log(JSON.stringify({ same, html: copy.toHTML() }));
  `);
  const html = "<p>Green tea.</p><p>Hot.</p><h2>New</h2><p>n</p><h2>A</h2><p>older</p>";
  assert.deepEqual(JSON.parse(said), { same: [true, true, true], html });
});

test("settings that JSON would silently change or drop are refused by name", () => {
  const said = node(`
    import { init, Agent, Document } from "copydesk";
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl: "http://127.0.0.1:1" } };
    const code = (make) => { try { make(); return "taken"; } catch (error) { return error.name === "CopydeskError" ? error.code + ": " + error.message : String(error); } };
    console.log(code(() => new Agent({ document: null, llmConfig })));
    await init();
    const document = Document.fromHTML("<p>a</p>");
    const circle = {};
    circle.self = circle;
    const tool = { name: "own", description: "d", execute: () => 1 };
    const withCost = (cost) => ({ ...llmConfig, model: { ...llmConfig.model, cost } });
    for (const given of [
      undefined, null, {}, { llmConfig }, { document: null, llmConfig }, { document, llmConfig, maxTurns: Infinity }, { document, llmConfig, runTimeout: NaN },
      { document, llmConfig, systemPrompt: () => "" }, { document, llmConfig, services: circle }, { document, llmConfig: withCost({ input: 1n }) },
      { document, llmConfig: withCost({ input: 1 }) }, { document, llmConfig, tools: [tool, tool] }, { document, llmConfig, logger: "console" }, { document, llmConfig, fetch: {} },
      { document, llmConfig: { ...llmConfig, streamOptions: { ...llmConfig.streamOptions, headers: new Map([["x-a", "1"]]) } } },
      { document, llmConfig: { ...llmConfig, streamOptions: { ...llmConfig.streamOptions, headers: new Headers({ "x-a": "1" }) } }, tools: [tool] },
    ]) console.log(code(() => new Agent(given)));

    const agent = new Agent({ document, llmConfig, tools: [tool] });
    console.log(code(() => agent.configure()), agent.state.tools.length);
    agent.configure({ tools: null });
    console.log(agent.state.tools.length);
    for (const [id, yes, reason] of [[1, true], ["c", "yes"], ["c", true, 7], ["c", false, null]]) console.log(code(() => agent.approve(id, yes, reason)));
    for (const input of [{ role: "customNote" }, { role: "system", content: "x" }, []]) console.log(await agent.prompt(input).catch((error) => error.code));
    console.log(code(() => agent.steer(" ")), code(() => agent.followUp("")));
    console.log(await agent.prompt({ role: "user", content: "x" }, [{ type: "image", data: "", mimeType: "image/png" }]).catch((error) => error.message));
  `);
  const lines = said.split("\n");
  assert.match(lines[0], /^not_loaded/);
  const expected = [
    /^invalid_parameter: options is undefined/, /^invalid_parameter: options is null/, /^invalid_parameter: document is undefined/, /^invalid_parameter: document is undefined/,
    /^invalid_parameter: document is null/, /options\.maxTurns is Infinity; it must be a finite number/, /options\.runTimeout is NaN/,
    /options\.systemPrompt is "a function"/, /options\.services\.self is "part of itself".*without circles/, /options\.llmConfig\.model\.cost\.input is "a bigint"/,
    /^config: .*options\.llmConfig\.model\.cost\.output/, /tools\[1\]\.name is "own"/, /^invalid_parameter: logger/, /^invalid_parameter: fetch/, /streamOptions\.headers is "a Map or the like"/, /^taken$/,
    /^invalid_parameter: settings is undefined.* 1$/, /^0$/,
    /^invalid_parameter: toolId/, /^invalid_parameter: approved/, /^invalid_parameter: reason/, /^not_waiting/,
    /^invalid_parameter$/, /^config$/, /^invalid_parameter$/, /^invalid_parameter: message is " ".*invalid_parameter: message is ""/, /^images is .*given with a text/,
  ];
  expected.forEach((pattern, at) => assert.match(lines[at + 1], pattern));
  assert.equal(lines.length, expected.length + 1);
});

test("results of runs are not retained for the agent's lifetime", () => {
  const said = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", `
    import { createServer } from "node:http";
    import { init, Agent, Document } from "copydesk";
    await init();
    const long = "x".repeat(400_000);
    const server = createServer((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"choices":[{"index":0,"delta":{"content":"' + long + '"},"finish_reason":"stop"}]}\\n\\ndata: [DONE]\\n\\n');
    }).listen(0, "127.0.0.1");
    await new Promise((ready) => server.on("listening", ready));
    const baseUrl = "http://127.0.0.1:" + server.address().port;
    const llmConfig = { model: { api: "openai-completions", modelId: "m" }, streamOptions: { baseUrl } };
    const agent = new Agent({ document: Document.fromHTML("<p>a</p>"), llmConfig });
    const kept = [];
    for (let at = 0; at < 12; at += 1) {
      kept.push(new WeakRef(await agent.prompt("Go")));
      agent.reset();
    }
    for (let at = 0; at < 5; at += 1) { await new Promise((next) => setTimeout(next, 10)); gc(); }
    console.log(kept.filter((result) => result.deref()).length);
    server.close();
  `], { cwd: home, encoding: "utf8" });
  assert.equal(said.status, 0, said.stderr);
  // The last one may still be referenced.
  assert.ok(Number(said.stdout) <= 1, said.stdout);
});
