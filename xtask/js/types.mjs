// Makes the types of the generated JavaScript those of the package, for projects of any settings: wasm-bindgen's use
// Symbol.dispose, and name types of the DOM for its ways to start, of which the package uses one.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const types = join(process.argv[2], "copydesk.d.ts");
const [classes, ...starts] = readFileSync(types, "utf8").split("export type InitInput");
if (starts.length !== 1) throw new Error(`${types} is not as wasm-bindgen writes it`);
writeFileSync(
  types,
  `/// <reference lib="esnext.disposable" />
${classes}/** Starts the compiled module. */
export default function start(given: { module_or_path: object }): Promise<unknown>;
`,
);
