// Minifies the styles in the modules of the elements: a page loads them as they are in the package.
// Usage: node minify-styles.mjs <folder of the package>
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "lightningcss";

const dir = join(process.argv[2], "ui");
for (const name of readdirSync(dir).filter((name) => name.endsWith(".js"))) {
  const path = join(dir, name);
  const code = readFileSync(path, "utf8");
  const minified = code.replace(/\bcss `([^`$\\]*)`/g, (_, style) => {
    const { code } = transform({ filename: name, code: Buffer.from(style), minify: true });
    return `css \`${code.toString().replace(/[\\`$]/g, "\\$&")}\``;
  });
  if (minified !== code) writeFileSync(path, minified);
}
