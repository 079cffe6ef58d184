// Prints what a change can break: a line `crate <name>` for each crate to test, in the order of their dependencies,
// `test <path>` for each test file of the package and of pages, `long <path>` for one that was changed itself, `left <path>`
// for each that would take too long together with those before, and `format <path>` for each changed file.
// Usage: node affected.mjs <file with the costs of tests> <seconds> [commit]
//
// The changes are those since the commit, by default since this branch left main, with what is not committed; of a range such
// as `main~1..main` they are those of its commits. A test file depends on the modules that it imports, the pages that it opens,
// and the files that it names; those nearest to a change come first. Nearly all of them use the wasm, so a change in Rust
// selects only the tests of its crate and of those that depend on it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

/** The seconds of a file that was never measured. */
const UNKNOWN = 10;

const root = fileURLToPath(new URL("../../", import.meta.url));
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const linesOf = (text) => text.split("\n").filter(Boolean);

/** Returns the paths of the changed files, as git names them. */
function changedSince(commit) {
  return [
    ...new Set([
      ...linesOf(git("diff", "--name-only", commit)),
      ...linesOf(git("ls-files", "--others", "--exclude-standard")),
    ]),
  ];
}

function branchPoint() {
  for (const main of ["origin/main", "main"])
    try {
      return git("merge-base", "HEAD", main);
    } catch {
      // There is no such branch.
    }
  return "HEAD";
}

const files = linesOf(git("ls-files", "--cached", "--others", "--exclude-standard")).filter((path) =>
  existsSync(join(root, path)),
);
const text = (path) => readFileSync(join(root, path), "utf8");
const isIn = (folder) => (path) => path.startsWith(`${folder}/`);

const { exports } = JSON.parse(text("pkg-template/package.json"));
/** Returns the module of the package that an entry such as `copydesk/tiptap` is. */
function entry(specifier) {
  const found = exports[specifier.replace(/^copydesk/, ".")];
  const target = typeof found === "string" ? found : (found?.default ?? found?.import);
  return typeof target === "string" ? sourceOf(join("pkg", target)) : undefined;
}

/** Returns the source of a path of the built package. */
const sourceOf = (path) =>
  path.replace(/^pkg\/(.*)\.js$/, "pkg-template/src/$1.ts").replace(/^pkg(?=\/|$)/, "pkg-template/src");

/** Returns the paths that a file names: modules, pages, files and folders. */
function namedIn(path) {
  // They serve any page, and name what all of them may have.
  if (["tests/browser/serving.mjs", "tests/browser/harness.mjs"].includes(path)) return [];
  // Types alone break no test: the package does not compile.
  const source = text(path).replace(/\b(?:import|export) type (?:\*|\w+|\{[^}]*\}) from "[^"]*";/g, "");
  const named = [];
  for (const [, string] of source.matchAll(/["'`]([^"'`\n$]+)["'`]/g)) {
    if (/^copydesk(?:\/|$)/.test(string)) named.push(entry(string));
    else if (string.includes("/")) {
      const below = string.startsWith(".") ? normalize(join(dirname(path), string)) : string;
      const found = [below, sourceOf(below), below.replace(/\.js$/, ".ts"), `${below}.ts`, `${below}/index.ts`].find(
        (one) => existsSync(join(root, one)),
      );
      if (found && !found.startsWith("..") && normalize(found) !== "./") named.push(found.replace(/\/$/, ""));
    }
  }
  for (const [, page] of source.matchAll(/(?:opener|servePage)\("([\w-]+)"/g))
    named.push(`tests/browser/pages/${page}`);
  if (/\bserveDemo\b/.test(source)) named.push("www/src", "www/index.html");
  return named.filter((one) => one && one !== ".");
}

const known = new Map();
/** Returns the number of steps from a file to each of the files that it depends on. A folder leads to what is in it. */
function distancesFrom(start) {
  const found = new Map([[start, 0]]);
  for (const [path, distance] of found) {
    if (!existsSync(join(root, path))) continue;
    let next = [];
    if (statSync(join(root, path)).isDirectory()) next = files.filter(isIn(path));
    else if (/\.(?:mjs|js|ts|html)$/.test(path)) {
      if (!known.has(path)) known.set(path, namedIn(path));
      next = known.get(path);
    }
    for (const one of next) if (!found.has(one)) found.set(one, distance + 1);
  }
  return found;
}

/** Returns the crates to test after a change of some of them: these, and those that depend on them. */
function cratesFor(changed) {
  // The targets of cargo-fuzz are a workspace of their own, which needs a nightly compiler.
  const isMember = (path) => !/\[workspace\]/.test(text(path)) || path === "Cargo.toml";
  const manifests = files.filter(
    (path) => /(?:^|\/)Cargo\.toml$/.test(path) && /\[package\]/.test(text(path)) && isMember(path),
  );
  const crates = manifests.map((path) => {
    const name = /^name = "(.+)"/m.exec(text(path))[1];
    const needs = [...text(path).matchAll(/^(copydesk(?:-[a-z-]+)?) = /gm)].map(([, one]) => one);
    return { name, folder: dirname(path), needs };
  });
  const owner = (path) =>
    crates
      .filter(({ folder }) => folder !== "." && isIn(folder)(path))
      .sort((a, b) => b.folder.length - a.folder.length)[0];
  const isOfRoot = (path) =>
    /^(?:src|tests\/(?:structure|matrix|web|bench\/growth))\/|^build\.rs$|^Cargo\.(?:toml|lock)$/.test(path);
  const selected = new Set(
    changed.map((path) => owner(path)?.name ?? (isOfRoot(path) ? "copydesk" : undefined)).filter(Boolean),
  );
  for (let size = -1; size !== selected.size;) {
    size = selected.size;
    for (const { name, needs } of crates) if (needs.some((one) => selected.has(one))) selected.add(name);
  }
  // A crate comes behind those that it needs; those that need each other for their tests come in any order.
  const order = [];
  const seen = new Set();
  const add = ({ name, needs }) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const one of crates) if (needs.includes(one.name)) add(one);
    order.push(name);
  };
  crates.forEach(add);
  return order.filter((name) => selected.has(name));
}

/** Returns true if the name of a test file contains that of a module, as `ui-outline.test.mjs` that of `ui/outline.ts`. */
const isNamedAfter = (test, path) =>
  `-${basename(test, ".test.mjs")}-`.includes(`-${basename(path).replace(/\.\w+$/, "")}-`);

const [costsFile, seconds, commit] = process.argv.slice(2);
const changed = changedSince(commit ?? branchPoint());
const crates = cratesFor(changed);
const tests = files.filter((path) => /^tests\/(?:packaging|browser|browser\/attack)\/[^/]+\.test\.mjs$/.test(path));
const distances = tests.map((path) => {
  const found = distancesFrom(path);
  // The tests of a module have its name, and reach it through others.
  const distanceTo = (one) =>
    found.has(one) && isNamedAfter(path, one) ? Math.min(found.get(one), 1) : (found.get(one) ?? Infinity);
  return { path, distance: Math.min(...changed.map(distanceTo)) };
});
const affected = distances.filter(({ distance }) => distance < Infinity).sort((a, b) => a.distance - b.distance);
for (const path of changed.filter((one) => existsSync(join(root, one)))) console.log(`format ${path}`);
for (const name of crates) console.log(`crate ${name}`);
const costs = existsSync(costsFile) ? JSON.parse(readFileSync(costsFile, "utf8")) : {};
let spent = 0;
for (const { path, distance } of affected) {
  const cost = costs[path] ?? UNKNOWN;
  const kind = distance === 0 ? "long" : spent + cost <= Number(seconds) ? "test" : "left";
  // One that takes too long leaves its time to those behind it.
  if (kind !== "left") spent += cost;
  console.log(`${kind} ${path}`);
}
