// The modules of the package import each other in one direction only.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../pkg-template/src/", import.meta.url));

/** The modules that a module imports, be it for types alone or on demand. */
function importsOf(name) {
  const text = readFileSync(join(source, name), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path]) => path);
  // What wasm-bindgen and languages.mjs write imports nothing.
  const own = paths.filter((path) => !/\/wasm(?:\/|-messages)/.test(path));
  return own.map((path) => normalize(join(dirname(name), path)).replace(/\.js$/, ".ts"));
}

/** The first cycle in a graph, as the names along it. */
function cycleIn(graph) {
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return;
    for (const next of graph.get(name)) {
      const cycle = visit(next, [...path, name]);
      if (cycle) return cycle;
    }
    done.add(name);
  };
  for (const name of graph.keys()) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
}

test("a cycle is found", () => {
  const graph = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", []], ["d", ["b"]]]);
  assert.deepEqual(cycleIn(graph), ["b", "d", "b"]);
});

test("no modules of the package import each other in a circle, not even for types", () => {
  const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const graph = new Map(names.map((name) => [name, importsOf(name)]));
  for (const [name, imports] of graph) for (const path of imports) assert.ok(existsSync(join(source, path)), `${name} imports ${path}`);
  assert.ok([...graph.values()].flat().length > 60);
  assert.equal(cycleIn(graph)?.join(" → "), undefined);
});

test("beside its folders, the sources hold entry points only", () => {
  const { exports } = JSON.parse(readFileSync(join(source, "../package.json"), "utf8"));
  // `api.ts` is what the variants of the main entry point export.
  const entries = new Set(["api", ...Array.from(JSON.stringify(exports).matchAll(/"\.\/([^"/]+)\.js"/g), ([, name]) => name)]);
  const modules = readdirSync(source).filter((name) => name.endsWith(".ts")).map((name) => name.replace(/\.ts$/, ""));
  assert.deepEqual(modules.filter((name) => !entries.has(name)), []);
});
