// Writes the messages of the wasm in the languages that are not compiled in: of each catalog `messages/<tag>.json`, its
// texts in the order of the English one, with numbers for the names of placeholders, as crates/catalog makes them.
// Usage: node languages.mjs <root of the repository> <folder of the package>
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const [root, out] = process.argv.slice(2);
const EMBEDDED = ["en", "zh-CN"];

const crates = readdirSync(join(root, "crates")).map((name) => [name, join(root, "crates", name, "src/messages")]);
const folders = [...crates, ["copydesk", join(root, "src/messages")]].filter(([, folder]) => existsSync(folder));

/** Returns the messages of a catalog by name: those of its file, and one of each file in its folder. */
function catalog(folder, tag) {
  const messages = JSON.parse(readFileSync(join(folder, `${tag}.json`), "utf8"));
  const own = join(folder, tag);
  for (const file of existsSync(own) ? readdirSync(own).sort() : [])
    messages[basename(file, ".md")] = readFileSync(join(own, file), "utf8");
  return messages;
}

const PLACEHOLDER = /\{([a-z_]+)(?=\}|\|[^{}|]*\|[^{}|]*\})/g;

function numbered(text, names) {
  return text.replace(PLACEHOLDER, (_, name) => `{${names.indexOf(name)}`);
}

const tags = readdirSync(folders[0][1])
  .filter((file) => file.endsWith(".json"))
  .map((file) => basename(file, ".json"))
  .filter((tag) => !EMBEDDED.includes(tag));

for (const tag of tags) {
  const tables = folders.map(([name, folder]) => {
    const [english, own] = [catalog(folder, "en"), catalog(folder, tag)];
    const texts = Object.entries(english).map(([key, text]) => {
      const names = [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, placeholder]) => placeholder))];
      return numbered(own[key], names);
    });
    return [name, texts];
  });
  const folder = join(out, "languages", tag);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wasm-messages.js"), `export default ${JSON.stringify(Object.fromEntries(tables))};\n`);
}
