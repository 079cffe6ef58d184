// Runs every scenario for clients of both eras of MCP, authorization and extensions excepted; with `--only TEXT` those
// whose name contains the text.
import { parseArgs } from "node:util";
import { play, scenarios } from "./suite.mjs";

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
const all = (await scenarios()).filter(([, name]) => name.includes(values.only));
let failed = all.length === 0 ? 1 : 0;
for (const [era, name] of all) {
  const { passed, checks, said } = await play(era, name);
  console.log(`${era}  ${passed ? "passed" : "FAILED"}  ${String(checks).padStart(3)} checks  ${name}`);
  if (!passed) {
    failed++;
    console.log(said);
  }
}
console.log(`${all.length - failed} of ${all.length} scenarios passed`);
process.exitCode = failed > 0 ? 1 : 0;
