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

test("the table of the reader's errors has its codes", () => {
  const [, messages] = /^const MESSAGES = \{\n([^]*?)^\};/m.exec(read("pkg-template/src/route/stream-chat.ts"));
  const defined = [...messages.matchAll(/^ {2}(\w+): \{$/gm)].map(([, code]) => code);
  const { rows } = tables(PAGE).find(({ comment }) => comment === "codes of route/stream-chat.ts");
  assert.deepEqual(rows.flatMap(([codes]) => names(codes)).sort(), defined.sort());
});

test("the examples import what there is, and a route whose members are those of the table", () => {
  const imported = [...read(PAGE).matchAll(/import \{ (\w+) \} from "copydesk\/route"/g)].map(([, name]) => name);
  assert.ok(imported.length >= 2);
  for (const name of imported) assert.equal(typeof route[name], "function");
  const { rows } = tables(PAGE).find(({ header }) => header[0] === "member");
  assert.deepEqual(rows.flatMap(([cell]) => names(cell)).sort(), Object.keys(route.createDocAgentRoute()).sort());
});

test("the pages of the reference are listed in docs/README.md", () => {
  assert.match(readFileSync(new URL("../../docs/README.md", import.meta.url), "utf8"), /\(route\.md\)/);
});
