// Marks the files of the parts of a build with the same section, so that parts of two builds, which would read each other's
// memory in different ways, are told apart.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const files = process.argv.slice(2).map((file) => [file, readFileSync(file)]);
const hash = createHash("sha256");
for (const [, wasm] of files) hash.update(wasm);
const name = Buffer.from("copydesk_parts");
const content = Buffer.concat([Buffer.from([name.length]), name, hash.digest()]);
const section = Buffer.concat([Buffer.from([0, content.length]), content]);
for (const [file, wasm] of files) writeFileSync(file, Buffer.concat([wasm, section]));
