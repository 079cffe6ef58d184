// Prints the module of the styles that elements share with the stylesheets of the package: `actionsStyle` is actions.css,
// `barStyle` the rules of review.css for the review bar.
// Usage: node styles.mjs <pkg-template> > <pkg-template>/src/ui/shared-styles.ts
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Returns the rules of a stylesheet, each with what is before its brace. */
function rulesOf(text) {
  const rules = [];
  for (let at = 0; ;) {
    const open = text.indexOf("{", at);
    if (open < 0) return rules;
    let depth = 1;
    let end = open + 1;
    for (; depth; end++) depth += text[end] === "{" ? 1 : text[end] === "}" ? -1 : 0;
    rules.push([text.slice(at, open).trim(), text.slice(open, end)]);
    at = end;
  }
}

const withoutComments = (text) => text.replace(/\/\*[^]*?\*\/\s*/g, "");
const OF_BAR = /\.copydesk-(?:bar|steps|view|one|every|open|count)\b/;

/** Returns the rules about the bar, also those within others. */
function barRules(text) {
  return rulesOf(text)
    .flatMap(([selector, body]) => {
      if (!selector.startsWith("@")) return OF_BAR.test(selector) ? [`${selector} ${body}`] : [];
      const inner = barRules(body.slice(1, -1));
      return inner ? [`${selector} {\n${inner}\n}`] : [];
    })
    .join("\n");
}

/** Returns the text of the module for a folder with the stylesheets. */
export function sharedStyles(dir) {
  const [actions, review] = ["actions.css", "review.css"].map((name) =>
    withoutComments(readFileSync(join(dir, name), "utf8")),
  );
  const literal = (text) => text.trim().replace(/[\\`$]/g, "\\$&");
  return [
    "/** Generated from actions.css and review.css by xtask/js/styles.mjs; do not edit. */\n",
    'import { css } from "lit";\n',
    "// prettier-ignore",
    `export const actionsStyle = css\`\n${literal(actions)}\n\`;\n`,
    "// prettier-ignore",
    `export const barStyle = css\`\n${literal(barRules(review))}\n\`;\n`,
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.stdout.write(sharedStyles(process.argv[2]));
