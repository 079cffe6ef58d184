// The table "To add X, touch these files" of ARCHITECTURE.md is true: in a copy of the sources, one more of each is added in
// the files that the table names, and all of it compiles and works. `recipes/` has the new files.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { long } from "../browser/budget.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const recipes = join(root, "tests/packaging/recipes");
// Below the root, so that modules find its node_modules.
const scratch = join(root, "target/recipes");

/** The language that is added is Spanish under another tag: what matters is which files a language consists of. */
const TAG = "pt";
const renamed = (text) => text.replace(/(["\/])es(?=["\/.])/g, `$1${TAG}`).replace(/\bes\b(?=[:,} ])/g, TAG);

/**
 * Each recipe, by the row of the table: the folder with its new files, `[file, text, what is added behind it]`, where the text
 * occurs once in the file, and the files that a test writes.
 */
const RECIPES = {
  "a node type": {
    folder: "node-type",
    lines: [
      ["crates/document/src/nodes/mod.rs", "mod bullet_list;\n", "mod callout;\n"],
      ["crates/document/src/nodes/mod.rs", "    code_block::NODES,\n", "    callout::NODES,\n"],
    ],
    written: ["pkg-template/src/document/node-table.ts"],
  },
  "a tool": {
    folder: "tool",
    lines: [
      ["crates/agent/src/tools/mod.rs", "mod definition;\n", "mod count_words;\n"],
      ["crates/agent/src/tools/mod.rs", "    BuiltIn::of::<GetDocument>(),\n", "    BuiltIn::of::<count_words::CountWords>(),\n"],
      ["crates/agent/src/messages/en.json", "{\n", '  "count_words_description": "Count the words of the document.",'],
      ["crates/agent/src/messages/zh-CN.json", "{\n", '  "count_words_description": "统计文档的字数。",\n'],
      ["crates/agent/src/messages/es.json", "{\n", '  "count_words_description": "Cuenta las palabras del documento.",\n'],
    ],
    written: ["pkg-template/src/agent/built-in-tools.ts"],
  },
  "a tool for files": {
    folder: "file-tool",
    lines: [
      ["crates/agent/src/tools/mod.rs", "mod move_section;\n", "mod measure_files;\n"],
      ["crates/agent/src/tools/mod.rs", "    BuiltIn::of::<ReadFile>(),\n", "    BuiltIn::of::<measure_files::MeasureFiles>(),\n"],
      ["crates/agent/src/messages/en.json", "{\n", '  "measure_files_description": "Count the bytes of all files.",\n'],
      ["crates/agent/src/messages/zh-CN.json", "{\n", '  "measure_files_description": "统计所有文件的字节数。",\n'],
      ["crates/agent/src/messages/es.json", "{\n", '  "measure_files_description": "Cuenta los bytes de todos los archivos.",\n'],
      ["pkg-template/src/ui/file-tool-text.ts", "  switch (toolName as FileTool) {\n", '    case "measure_files":\n      return pick(() => working.measuring, () => done.measured, () => failedTo.measure);\n'],
      ["pkg-template/src/ui/call-words.ts", '    case "edit_file":\n      return "";\n', '    case "measure_files":\n      return "";\n'],
      ...[["ui/words/files-en.ts", ["Adding up the files", "Added up the files", "Could not add up the files"]], ["ui/words/files-zh.ts", ["正在统计文件", "已统计文件", "无法统计文件"]], ["languages/es/files.ts", ["Sumando los archivos", "Archivos sumados", "No se han podido sumar los archivos"]]].flatMap(
        ([file, [working, done, failed]]) => [
          [`pkg-template/src/${file}`, "  working: {\n", `    measuring: "${working}",\n`],
          [`pkg-template/src/${file}`, "  done: {\n", `    measured: "${done}",\n`],
          [`pkg-template/src/${file}`, "  failedTo: {\n", `    measure: "${failed}",\n`],
        ],
      ),
    ],
    written: ["pkg-template/src/agent/built-in-tools.ts"],
  },
  "a search service": {
    folder: "search-service",
    lines: [
      ["crates/agent/src/search/mod.rs", "mod openverse;\n", "mod kiwix;\n"],
      ["crates/agent/src/search/mod.rs", "    const SERVICES: &'static [SearchService<WebResult>] = &[", "kiwix::SERVICE, "],
      ["pkg-template/src/types/tools.ts", '    | { provider: "wikipedia"; baseUrl?: string }\n', '    | { provider: "kiwix"; baseUrl: string }\n'],
      ["pkg-template/src/route/services.ts", "  needs: { tavily: \"apiKey\",", ' kiwix: "baseUrl",'],
    ],
  },
  "a wire format": {
    folder: "wire-format",
    lines: [
      ["crates/llm/src/format/mod.rs", "mod openai_responses;\n", "mod plain_text;\n"],
      ["crates/llm/src/format/mod.rs", "    match api {\n", "        Api::PlainText => &plain_text::PlainText,\n"],
      ["crates/llm/src/api.rs", "pub enum Api {\n", "    /// `POST {base}/write`.\n    PlainText,\n"],
      ["crates/llm/src/api.rs", "&[Api::OpenaiCompletions", ", Api::PlainText"],
      ["crates/llm/src/api.rs", '            Api::OpenaiCompletions => "openai-completions",\n', '            Api::PlainText => "plain-text",\n'],
      ["pkg-template/src/types/model.ts", 'export type Api = "openai-completions"', ' | "plain-text"'],
      ["pkg-template/src/agent/wire-formats.ts", "export const wireFormats: Readonly<Record<Api, WireFormat>> = {\n", '  "plain-text": { name: "Plain text", baseUrl: "https://model.example", models: { path: "/models", headers: bearer }, provider: "plain" },\n'],
    ],
  },
  "a language": {
    folder: "language",
    lines: [
      ["pkg-template/package.json", '  "exports": {\n', `    "./languages/${TAG}": {\n      "types": "./languages/${TAG}.d.ts",\n      "default": "./languages/${TAG}.js"\n    },\n`],
      ["www/src/locale/index.ts", "export const LANGUAGES = {", ` ${TAG}: "Português",`],
      ["www/src/locale/index.ts", "const loads: Partial<Record<Locale, () => Promise<Messages>>> = {\n", `  ${TAG}: async () => (await import("./${TAG}")).${TAG},\n`],
    ],
    /** The files of the language, which are those of Spanish. */
    copies: (file) => /(?:^|\/)es(?:\.json|\.ts|\/)/.test(file) && !file.includes("wasm-messages"),
  },
};

const run = (program, args, options) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: scratch, encoding: "utf8", ...options });
  assert.equal(status, 0, `${error ?? ""}${stdout}\n${stderr}`);
  return stdout;
};

const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));

/** The patterns of the paths that a row of the table names. */
function pathsOf(row) {
  const line = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").split("\n").find((one) => one.startsWith(`| ${row} |`));
  assert.ok(line, `the table has no row of ${row}`);
  const code = line.split(" | ")[1];
  return [...code.matchAll(/`([^`]+)`/g)].map(([, path]) => {
    const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/<\w+>/g, "[\\w-]+").replaceAll("\\*", "[\\w-]+");
    return new RegExp(`(?:^|/)${escaped}${path.endsWith("/") ? "" : "$"}`);
  });
}

function insert(path, text, added) {
  const file = join(scratch, path);
  const parts = readFileSync(file, "utf8").split(text);
  assert.equal(parts.length, 2, `${path} has ${JSON.stringify(text)} ${parts.length - 1} times`);
  writeFileSync(file, parts[0] + text + added + parts[1]);
}

/** The files that each recipe adds or changes. */
const touched = new Map();

before(() => {
  rmSync(scratch, { recursive: true, force: true });
  const isSource = (path) => !/\/(?:node_modules|target|dist|\.built)(?:\/|$)|\/tests\/packaging\/recipes/.test(path.slice(root.length - 1));
  for (const entry of ["Cargo.toml", "Cargo.lock", "build.rs", "crates", "src", "xtask", "tests/support", "tests/fuzz", "pkg-template", "www", "tests/bench/growth"])
    cpSync(join(root, entry), join(scratch, entry), { recursive: true, filter: isSource, preserveTimestamps: true });
  for (const [row, { folder, lines, copies, written = [] }] of Object.entries(RECIPES)) {
    const made = [];
    if (copies) {
      for (const file of filesOf(scratch).filter(copies)) {
        const copy = file.replace(/(^|\/)es(\.json|\.ts|\/)/, `$1${TAG}$2`);
        mkdirSync(dirname(join(scratch, copy)), { recursive: true });
        writeFileSync(join(scratch, copy), renamed(readFileSync(join(scratch, file), "utf8")));
        made.push(copy);
      }
    } else {
      cpSync(join(recipes, folder), scratch, { recursive: true });
      made.push(...filesOf(join(recipes, folder)));
    }
    for (const [file, text, added] of lines) insert(file, text, added);
    touched.set(row, [...made, ...written, ...lines.map(([file]) => file)]);
  }
});

for (const row of Object.keys(RECIPES))
  test(`the table names every file that ${row} needs`, () => {
    const named = pathsOf(row);
    const left = touched.get(row).filter((file) => !file.includes("/tests/") && !named.some((path) => path.test(file)));
    assert.deepEqual(left, []);
  });

test("the crates compile with one more of each, and it works", long, () => {
  const tests = ["callout", "added", "plain_text", "typescript"].flatMap((name) => ["--test", name]);
  const crates = ["document", "agent", "llm"].flatMap((name) => ["--package", `copydesk-${name}`]);
  // A folder of its own: cargo takes crates at the same place in another workspace for the same ones.
  const env = { ...process.env, CARGO_TARGET_DIR: join(root, "target/recipes-build"), CARGO_PROFILE_DEV_OPT_LEVEL: "0", CARGO_PROFILE_DEV_DEBUG: "0", COPYDESK_UPDATE: "1" };
  const said = run("cargo", ["test", "--quiet", "--offline", ...crates, ...tests], { env });
  assert.equal(said.match(/test result: ok/g).length, 5, said);
  const tools = readFileSync(join(scratch, "pkg-template/src/agent/built-in-tools.ts"), "utf8");
  for (const added of ["count_words", "measure_files"]) assert.ok(tools.includes(`  ${added}: {`), added);
});

test("the package and the demo compile with one more of each, and its words are there", long, async () => {
  const pkg = join(scratch, "pkg");
  mkdirSync(pkg, { recursive: true });
  symlinkSync(join(root, "pkg/wasm"), join(pkg, "wasm"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  run(process.execPath, [tsc, "-p", "pkg-template", "--outDir", pkg]);
  run(process.execPath, [join(root, "xtask/js/languages.mjs"), scratch, pkg]);
  for (const file of ["package.json", "style.d.ts", "wasm-file.d.ts"]) cpSync(join(scratch, "pkg-template", file), join(pkg, file));
  mkdirSync(join(scratch, "node_modules"));
  symlinkSync(pkg, join(scratch, "node_modules/copydesk"));
  run(process.execPath, [tsc, "-p", "www", "--noEmit"]);

  const module = (path) => import(pathToFileURL(join(pkg, path)));
  const language = (await module(`languages/${TAG}.js`))[TAG];
  assert.equal(language.tag, TAG);
  assert.ok(Object.values(language.messages).flat().includes("Cuenta las palabras del documento."));
  const { describeCall } = await module("ui/tool-text.js");
  const { words } = await module("ui/words/all.js");
  const call = { toolName: "measure_files", input: {}, state: "done", content: { bytes: 7 }, titles: [] };
  assert.equal(describeCall(call, words.en), "Added up the files");
  assert.ok(existsSync(join(pkg, "languages", TAG)));
});
