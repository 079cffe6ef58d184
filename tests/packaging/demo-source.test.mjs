// The demo is an app like any other: it has the public entries of the package, and little code of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../www/src/", import.meta.url));
const { exports } = JSON.parse(readFileSync(new URL("../../pkg-template/package.json", import.meta.url), "utf8"));
const names = readdirSync(source, { recursive: true }).filter((name) => name.endsWith(".ts"));
const texts = new Map(names.map((name) => [name, readFileSync(join(source, name), "utf8")]));

test("the demo imports nothing of the package but its public entries, and no file outside of its own", () => {
  let count = 0;
  for (const [name, text] of texts)
    for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g)) {
      if (path.startsWith(".")) assert.ok(!normalize(join(dirname(name), path)).startsWith(".."), `${name} imports ${path}`);
      else if (/^copydesk(?:\/|$)/.test(path)) {
        count++;
        assert.ok(path.replace(/^copydesk/, ".") in exports, `${name} imports ${path}`);
      } else assert.match(path, /^@tiptap\/|^lit(?:\/|$)|^vite\//, `${name} imports ${path}`);
    }
  assert.ok(count > 40, String(count));
});

test("the demo has fewer than 5,000 lines of TypeScript", () => {
  const lines = [...texts.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  assert.ok(lines < 5000, String(lines));
});

test("the demo has no error of types", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const checked = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "www", "--pretty", "false"], { cwd: root, encoding: "utf8" });
  assert.equal(checked.stdout + checked.stderr, "");
  assert.equal(checked.status, 0);
});
