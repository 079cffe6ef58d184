// docs/PERFORMANCE.md is the page of the stored results, and has a row for each goal.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GOALS } from "../bench/goals.mjs";
import { measured, page, writtenPage } from "../bench/report.mjs";


test("docs/PERFORMANCE.md is the page of the stored results", () => {
  assert.equal(writtenPage(), page(measured()));
});

test("the figures of every goal are reported by its benchmark", () => {
  for (const [name, { bench }] of Object.entries(GOALS)) {
    const script = readFileSync(new URL(`../bench/${bench}.mjs`, import.meta.url), "utf8");
    const reports = ["figures", "large"].some((call) => script.includes(`${call}('${name}',`));
    assert.ok(reports, `tests/bench/${bench}.mjs reports no figures for ${name}`);
  }
});

test("every stored result has tables, and the figures of its goals", () => {
  for (const [bench, { date, tables, figures }] of Object.entries(measured())) {
    assert.match(date, /^\d{4}-\d\d-\d\d$/, bench);
    assert.ok(tables.length > 0, bench);
    for (const { title, rows } of tables) for (const row of rows) assert.equal(row.length, rows[0].length, title);
    const rows = Object.entries(GOALS).filter(([, goal]) => goal.bench === bench);
    for (const [name] of rows) assert.ok(figures[name]?.length > 0, `${bench}: ${name}`);
  }
});
