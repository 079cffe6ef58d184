// What the documentation says about environments; in the long form a part of docs/PACKAGING.md is played again, of which
// `cargo xtask matrix` plays all. The page states the sizes of one day; those of the package are limited by `cargo xtask size`.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isLong, long } from "../browser/budget.mjs";
import { closeAll, root } from "../browser/serving.mjs";
import { packed, played, snippet } from "./environments/environment.mjs";
import { rowsOfPage, versionsOf } from "./environments/table.mjs";
import { targets } from "./environments/targets/index.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const sizeOf = (path) => statSync(join(root, "pkg/wasm", path)).size;
const rows = rowsOfPage();
const work = mkdtempSync(join(tmpdir(), "copydesk-environments-"));
let file;

before(() => isLong && (file = packed(work)));
after(async () => {
  await closeAll();
  rmSync(work, { recursive: true, force: true });
});

const quick = targets.filter((target) => target.quick);

for (const target of quick) {
  test(`${target.name}: works as docs/PACKAGING.md says`, long, async () => {
    const { bytes, error } = await played(target, file, work);
    assert.equal(error, undefined);
    assert.equal(!!bytes, rows.get(target.name).at(-1) !== "–");
    if (!bytes) return;
    // Each build that is used is loaded once: the page of app/ has a worker with the full one.
    const builds = target.asks ? ["page"] : ["page", "full"];
    const sizes = builds.map((build) => sizeOf(`${build}/copydesk_bg.wasm`));
    assert.equal(bytes.wasm, sizes.reduce((sum, size) => sum + size));
    assert.ok(bytes.js < sizeOf("page/copydesk_bg.base64.js"), `${bytes.js} bytes of JS, with the wasm in it`);
  });
}

test("docs/PACKAGING.md has every environment as it is tested", () => {
  const expected = targets.map(({ name, takes, works = "yes", ...target }) => [name, versionsOf(target), works, takes]);
  assert.deepEqual([...rows.values()].map((cells) => cells.slice(0, 4)), expected);
  assert.ok(quick.length >= 5);
  // An exact version, so that the table can be made again.
  for (const { name, packages } of targets) {
    for (const version of Object.values(packages)) assert.match(version, /^(?:npm:\S+@)?\d+\.\d+\.\d+$/, name);
  }
});

test("the readme of the package has the README's example, and says of bundlers what was tested", () => {
  assert.equal(snippet("pkg-template/README.md"), snippet());
  const [, table] = /^## Bundlers\n[^]*?\|---\|\n([^]*?)\n\n/m.exec(read("pkg-template/README.md"));
  const listed = table.split("\n").map((row) => row.slice(2, -2).split(" | "));
  assert.ok(listed.length >= 5);
  for (const [names, takes] of listed) {
    for (const name of names.split(", ")) {
      const tested = targets.filter((target) => target.name.startsWith(name));
      assert.ok(tested.length, `${name} is tested`);
      for (const target of tested) assert.equal(target.takes, takes, target.name);
    }
  }
});

test("docs/frameworks.md shows the recipes as they are tested", () => {
  const recipes = join(root, "tests/packaging/environments/recipes");
  const shown = [...read("docs/frameworks.md").matchAll(/^<!-- (.*) -->\n```\w+\n([^]*?)^```$/gm)];
  for (const [, path, code] of shown) assert.equal(code, readFileSync(join(recipes, path), "utf8"), path);
  const components = readdirSync(recipes, { recursive: true }).filter((path) => /Writer\.\w+$|page\.tsx$/.test(path));
  const paths = shown.map(([, path]) => path);
  assert.deepEqual(components.filter((path) => !paths.includes(path)), []);
});
