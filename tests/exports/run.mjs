// Writes the examples with the package into a folder, and has other programs open them: python-docx and, with --epubcheck and
// --office, epubcheck and LibreOffice. `cargo xtask exports` brings these programs.
//
//   PYTHON=python3 node tests/exports/run.mjs FOLDER [--smallest] [--epubcheck] [--office]
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toDOCX, toEPUB, toHTML } from "copydesk/export";
import { examples, loadImage } from "./examples.mjs";

const [folder, ...flags] = process.argv.slice(2);
if (!folder || folder.startsWith("--")) throw new Error("run.mjs takes the folder for the files first.");
const isSmallest = flags.includes("--smallest");
const SMALLEST = ["footnotes", "links", "layout", "hebrew", "disclosure"];
// A file of an earlier run would be checked again.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let written = 0;
for (const { name, publication } of examples()) {
  if (isSmallest && !SMALLEST.includes(name)) continue;
  const docx = await toDOCX(publication, { loadImage });
  const epub = await toEPUB(publication, { loadImage });
  writeFileSync(join(folder, `${name}.docx`), docx.bytes);
  writeFileSync(join(folder, `${name}.epub`), epub.bytes);
  writeFileSync(join(folder, `${name}.html`), toHTML(publication));
  written += 1;
  console.log(`${name}: DOCX ${docx.bytes.length} bytes, ${docx.lost.length} in lost; EPUB ${epub.bytes.length} bytes, ${epub.lost.length} in lost`);
}
if (written === 0) throw new Error("There are no examples.");
if (process.env.PYTHON) {
  const checks = flags.filter((flag) => flag !== "--smallest");
  const { status, error } = spawnSync(process.env.PYTHON, [fileURLToPath(new URL("check.py", import.meta.url)), folder, ...checks], { stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? 1;
} else console.log("PYTHON is not set: no other program has opened the files.");
