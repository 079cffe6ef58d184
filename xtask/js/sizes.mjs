// Prints name, raw, gzip and brotli bytes of the wasm and of each JavaScript file of a package, tab-separated, except for
// the copies of the wasm in base64, which take as long to compress as all else.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const dir = process.argv[2];
const names = readdirSync(dir, { recursive: true }).filter((name) => /(?<!\.base64)\.(wasm|js)$/.test(name));
names.sort((a, b) => Number(b.endsWith(".wasm")) - Number(a.endsWith(".wasm")) || a.localeCompare(b));
for (const name of names) {
  const raw = readFileSync(join(dir, name));
  const gzip = gzipSync(raw, { level: 9 });
  const brotli = brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });
  console.log([name.replaceAll("\\", "/"), raw.length, gzip.length, brotli.length].join("\t"));
}
