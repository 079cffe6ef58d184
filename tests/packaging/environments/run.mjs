// Plays the environments of targets/: `node run.mjs [--only TEXT] [--write]`. See README.md.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeAll } from "../../browser/serving.mjs";
import { packed, played } from "./environment.mjs";
import { kilobytes, writePage } from "./table.mjs";
import { targets } from "./targets/index.mjs";

const options = { only: { type: "string", default: "" }, write: { type: "boolean", default: false } };
const { values } = parseArgs({ options });
const chosen = targets.filter(({ name }) => name.toLowerCase().includes(values.only.toLowerCase()));

const work = mkdtempSync(join(tmpdir(), "copydesk-environments-"));
const rows = [];
try {
  const file = packed(work);
  for (const target of chosen) {
    const row = await played(target, file, work);
    rows.push(row);
    const said = row.bytes ? `  ${kilobytes(row.bytes)}` : "";
    console.log(row.error ? `FAILED ${target.name}\n${row.error}` : `ok     ${target.name}${said}`);
  }
} finally {
  await closeAll();
  rmSync(work, { recursive: true, force: true });
}

const working = rows.filter(({ error }) => !error);
console.log(`${working.length} of ${rows.length} environments work`);
if (values.write) writePage(rows, targets);
process.exitCode = working.length && working.length === rows.length ? 0 : 1;
