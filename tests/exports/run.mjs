// Writes the examples with the package into a folder, which `check.py` and epubcheck read.
//
//   node tests/exports/run.mjs FOLDER [--smallest]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toDOCX, toEPUB, toHTML } from "copydesk/export";
import { examples, loadImage } from "./examples.mjs";

const [folder, ...flags] = process.argv.slice(2);
const random = flags.includes("--smallest") ? 4 : 40;
mkdirSync(folder, { recursive: true });
for (const { name, publication } of examples({ random })) {
  const docx = await toDOCX(publication, { loadImage });
  const epub = await toEPUB(publication, { loadImage });
  writeFileSync(join(folder, `${name}.docx`), docx.bytes);
  writeFileSync(join(folder, `${name}.epub`), epub.bytes);
  writeFileSync(join(folder, `${name}.html`), toHTML(publication));
  const lost = [...docx.lost, ...epub.lost];
  console.log(`${name}: ${docx.bytes.length + epub.bytes.length} bytes, ${lost.length} losses named`);
}
