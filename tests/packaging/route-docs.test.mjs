// docs/route.md: its tables are complete, its example runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { names, read, tables } from "../browser/docs.mjs";
import * as route from "../../pkg/route.js";

const PAGE = "docs/route.md";

test("the table of errors has the codes and statuses of the route", () => {
  const source = read("pkg-template/src/route/errors.ts");
  const defined = [...source.matchAll(/^ {2}(\w+): \{\n {4}status: (\d+),$/gm)].map(([, code, status]) => `${code} ${status}`);
  const { rows } = tables(PAGE).find(({ comment }) => comment === "codes of route/errors.ts");
  const listed = rows.flatMap(([codes, status]) => names(codes).map((code) => `${code} ${status}`));
  assert.deepEqual(listed.sort(), defined.sort());
});

test("the example creates a route whose members are those of the table", () => {
  const [, code] = /^```ts\n([^]*?)^```$/m.exec(read(PAGE));
  const imported = [...code.matchAll(/import \{ (\w+) \} from "copydesk\/route"/g)].map(([, name]) => name);
  for (const name of imported) assert.equal(typeof route[name], "function");
  const { rows } = tables(PAGE).find(({ header }) => header[0] === "member");
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)).sort(), Object.keys(route.createDocAgentRoute()).sort());
});

test("the pages of the reference are listed in docs/README.md", () => {
  assert.match(readFileSync(new URL("../../docs/README.md", import.meta.url), "utf8"), /\(route\.md\)/);
});
