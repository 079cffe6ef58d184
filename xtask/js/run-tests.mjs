// Runs test files with node's runner, several processes at once, those that take longest first: none is left alone at the end.
// Usage: node run-tests.mjs <processes at once> <folder> [--together] <test files>
//
// The folder keeps the seconds that the tests of each file took in the last run. With `--together`, a process runs several
// files, which share a browser and what they import: many in the first processes, few in the last, which so end together.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The seconds that the files of a process take at least, and those of a file that was never measured. */
const [LEAST, UNKNOWN] = [15, 10];

const root = fileURLToPath(new URL("../../", import.meta.url));
const [atOnce, folder, ...rest] = process.argv.slice(2);
const isTogether = rest[0] === "--together";
const files = (isTogether ? rest.slice(1) : rest).map((file) => relative(root, resolve(file)));
const costsFile = join(folder, "test-costs.json");
const costs = readCosts();
const costOf = (file) => costs[file] ?? UNKNOWN;

const groups = isTogether ? grouped(files) : files.map((file) => [file]);
groups.sort((a, b) => total(b) - total(a));
const seconds = {};
const failed = new Set();
const tests = run({ files: groups.map(moduleOf), concurrency: Number(atOnce) });
const ended = ({ nesting, file, details }) => {
  const path = nesting === 0 && file && relative(root, file);
  if (path) seconds[path] = (seconds[path] ?? 0) + details.duration_ms / 1000;
  return path;
};
tests.on("test:pass", ended);
tests.on("test:fail", (test) => {
  failed.add(ended(test));
  process.exitCode = 1;
});
tests.on("end", () => {
  const measured = files
    .filter((file) => file in seconds && !failed.has(file))
    .map((file) => [file, Math.round(seconds[file] * 10) / 10]);
  writeFileSync(costsFile, `${JSON.stringify({ ...costs, ...Object.fromEntries(measured) }, null, 1)}\n`);
});
tests.compose(new spec()).pipe(process.stdout);

function total(group) {
  return group.reduce((sum, file) => sum + costOf(file), 0);
}

/** Returns groups of files. Each takes half of the time that is then left for each of the parallel processes. */
function grouped(all) {
  const groups = [];
  const left = [...all].sort((a, b) => costOf(b) - costOf(a));
  while (left.length) {
    const enough = Math.max(LEAST, total(left) / Number(atOnce) / 2);
    const group = [];
    while (left.length && (!group.length || total(group) + costOf(left[0]) <= enough)) group.push(left.shift());
    groups.push(group);
  }
  return groups;
}

/** Returns the path of a module that runs a group: the file itself, or one that imports all of them. */
function moduleOf(group, at) {
  if (group.length === 1) return join(root, group[0]);
  const modules = join(folder, "test-groups");
  if (at === 0) rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  const path = join(modules, `${at}-${basename(group[0])}`);
  writeFileSync(
    path,
    group.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};\n`).join(""),
  );
  return path;
}

function readCosts() {
  try {
    return JSON.parse(readFileSync(costsFile, "utf8"));
  } catch {
    // There has been no run yet.
    return {};
  }
}
