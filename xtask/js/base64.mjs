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
