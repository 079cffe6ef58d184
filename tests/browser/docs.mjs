// Reads the documentation for tests: code blocks, tables, links.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./serving.mjs";

/** Paths of the pages whose examples and tables are checked. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "pkg-template/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "MATRIX.md")
    .map((name) => `docs/${name}`),
];

/** Returns the text of a page. */
export const read = (path) => readFileSync(join(root, path), "utf8");

const taken = new Set();

/** Returns the JavaScript blocks of a page, in order. */
function blocksOf(path) {
  return [...read(path).matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code);
}

/** Returns the JavaScript blocks of a page to run, by index; all of them without indexes. */
export function blocks(path, ...indexes) {
  const all = blocksOf(path);
  assert.ok(all.length, `${path} has blocks of JavaScript`);
  const wanted = indexes.length ? indexes : all.map((_, index) => index);
  return wanted.map((index) => {
    assert.ok(all[index], `${path} has a block ${index}`);
    taken.add(`${path} ${index}`);
    return all[index];
  });
}

/** Returns the blocks that were never passed to `blocks`. */
export function blocksLeft() {
  return PAGES.flatMap((path) => blocksOf(path).map((_, index) => `${path} ${index}`)).filter((block) => !taken.has(block));
}

/**
 * Returns code in which each `expression; // → value` is a check: the module pushes the result and the documented value
 * into `checks`. The comment may also be on the next line.
 */
export function withChecks(code) {
  const joined = code.replace(/;\n\s*\/\/ → /g, "; // → ");
  const checked = joined.replace(/^(\s*)(\S.*); \/\/ → (.+)$/gm, "$1checks.push([$2, $3]);");
  assert.doesNotMatch(checked, /→/, "each stated value follows an expression in one line");
  return checked;
}

/** Joins several blocks into one module: imports come first, each once. */
export function moduleOf(...parts) {
  const imports = new Map();
  const bare = new Set();
  const rest = parts.map((part) =>
    part.replace(/^\s*import (?:\{([^}]*)\} from |(\w+) from )?("[^"]+");.*\n/gm, (_, names, whole, from) => {
      if (!names && !whole) bare.add(`import ${from};`);
      const known = imports.get(from) ?? new Set();
      for (const name of names?.split(",") ?? []) known.add(name.trim());
      if (whole) known.add(`default as ${whole}`);
      imports.set(from, known);
      return "";
    }),
  );
  const named = [...imports].filter(([, names]) => names.size).map(([from, names]) => `import { ${[...names].join(", ")} } from ${from};`);
  return [...bare, ...named, "const checks = (window.checks ??= []);", ...rest].join("\n");
}

/** Returns the tables of a page: the comment before them, their header, and their rows as cells. */
export function tables(path) {
  const found = [...read(path).matchAll(/(?:^<!-- (.*) -->\n)?((?:^\|.*\|\n)+)/gm)];
  return found.map(([, comment, text]) => {
    const cells = (row) => row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [header, , ...rows] = text.trimEnd().split("\n").map(cells);
    return { comment, header, rows };
  });
}

/** Returns the leading names in backticks: "`prompt(input)`, `abort()`" gives `prompt` and `abort`. */
export const names = (cell) => [...cell.matchAll(/`(\w+)[^`]*`/g)].map(([, name]) => name);

/** Returns the members of an interface in a source file of the package, inherited ones included. */
export function members(name, file) {
  const source = read(`pkg-template/src/${file}`);
  const inside = (from, indent) => [...from.matchAll(new RegExp(`^ {${indent}}(?:readonly )?(\\w+)\\??:`, "gm"))].map(([, member]) => member);
  if (name === "streamOptions") return { own: inside(/ {2}streamOptions: \{\n([^]*?)\n {2}\};/.exec(source)[1], 4), inherited: [] };
  const [, bases, body] = new RegExp(`export interface ${name} (?:extends ([\\w, ]+) )?\\{\\n([^]*?)\\n\\}`).exec(source) ?? [];
  assert.ok(body, `${file} has the interface ${name}`);
  // A base is in the same file, or in the one that it is imported from.
  const origin = (base) => new RegExp(`import type \\{[^}]*\\b${base}\\b[^}]*\\} from "\\./(\\w+)\\.js"`).exec(source)?.[1];
  const fileOf = (base) => (origin(base) ? `${dirname(file)}/${origin(base)}.ts` : file);
  const inherited = (bases?.split(", ") ?? []).flatMap((base) => members(base, fileOf(base)).own);
  return { own: inside(body, 2), inherited };
}
