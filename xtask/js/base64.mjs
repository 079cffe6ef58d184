// Writes the wasm once more as a JavaScript module, for places where the file beside it cannot be fetched.
// Compressed first: as plain base64 it would be twice the size, and every bundler would warn of the chunk.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dir = process.argv[2];
const wasm = readFileSync(join(dir, "copydesk_bg.wasm"));
const base64 = gzipSync(wasm, { level: 9 }).toString("base64");
writeFileSync(join(dir, "copydesk_bg.base64.js"), `/* copydesk_bg.wasm, gzip, base64 */\nexport default "${base64}";\n`);
writeFileSync(
  join(dir, "copydesk_bg.base64.d.ts"),
  "/** The wasm, gzip-compressed, in base64. */\ndeclare const base64: string;\nexport default base64;\n",
);

// wasm-bindgen's types use Symbol.dispose; without this line they need a setting in every project that reads them.
const types = join(dir, "copydesk.d.ts");
const reference = '/// <reference lib="esnext.disposable" />\n';
const text = readFileSync(types, "utf8");
if (!text.startsWith(reference)) writeFileSync(types, reference + text);
