// Writes the wasm as a JavaScript module as well, for environments that cannot fetch the file.
// Compressed first: plain base64 would be twice the size, and bundlers would warn about the chunk.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dir = process.argv[2];
const wasm = readFileSync(join(dir, "copydesk_bg.wasm"));
const base64 = gzipSync(wasm, { level: 9 }).toString("base64");
writeFileSync(
  join(dir, "copydesk_bg.base64.js"),
  `/* copydesk_bg.wasm, gzip, base64 */\nexport default "${base64}";\n`,
);
writeFileSync(
  join(dir, "copydesk_bg.base64.d.ts"),
  "/** The wasm, gzip-compressed, in base64. */\ndeclare const base64: string;\nexport default base64;\n",
);

// The types, for projects of any settings: wasm-bindgen's use Symbol.dispose, and name types of the DOM for its ways
// to start, of which the package uses one.
const types = join(dir, "copydesk.d.ts");
const [classes, ...starts] = readFileSync(types, "utf8").split("export type InitInput");
if (starts.length !== 1) throw new Error(`${types} is not as wasm-bindgen writes it`);
writeFileSync(
  types,
  `/// <reference lib="esnext.disposable" />
${classes}/** Starts the compiled module. */
export default function start(given: { module_or_path: object }): Promise<unknown>;
`,
);
