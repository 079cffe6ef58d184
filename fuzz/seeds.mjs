// Something for the fuzzers to begin with: the recorded documents, as HTML and as JSON, and the recorded streams.
//
//   node fuzz/seeds.mjs

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const { cases } = JSON.parse(readFileSync(new URL("../tests/fixtures/documents/cases.json", import.meta.url)));
const write = (target, name, text) => {
  const dir = new URL(`corpus/${target}/`, import.meta.url);
  mkdirSync(dir, { recursive: true });
  writeFileSync(new URL(name, dir), text);
};

const schema = JSON.stringify({
  topNode: "doc",
  nodes: [
    { name: "doc", content: "block+" },
    { name: "paragraph", content: "inline*", group: "block" },
    { name: "callout", content: "heading? block{1,3}", group: "block", attrs: { tone: { default: "info" } } },
    { name: "heading", content: "text*", group: "block", marks: "", attrs: { level: { default: 1 } } },
    { name: "code", content: "text*", group: "block", code: true },
    { name: "math", group: "block", atom: true, attrs: { latex: {} } },
    { name: "mention", group: "inline", inline: true, atom: true },
    { name: "note", content: "(text | mention)*", group: "inline", inline: true },
    { name: "hardBreak", group: "inline", inline: true },
    { name: "text", group: "inline" },
  ],
  marks: [{ name: "bold" }, { name: "link", attrs: { href: {} }, excludes: "_" }],
});
const document = '{"type":"doc","content":[{"type":"callout","content":[{"type":"paragraph","content":[{"type":"text","text":"a😀","marks":[{"type":"bold"}]},{"type":"mention"},{"type":"hardBreak"},{"type":"note","content":[{"type":"text","text":"b"}]}]}]},{"type":"math","attrs":{"latex":"x"}},{"type":"code","content":[{"type":"text","text":"a\\nb"}]}]}';

for (const { id, html, doc } of cases) {
  write("html", id, html);
  write("json", id, JSON.stringify(doc));
}
write("json", "custom-schema", `${schema}\0${document}`);

// The shortest of them: long ones are the same again and again.
for (const api of ["openai-completions", "anthropic-messages", "openai-responses", "google-generative-ai"]) {
  const lines = readFileSync(new URL(`../tests/fixtures/streams/${api}.jsonl`, import.meta.url), "utf8").trim().split("\n");
  const bodies = lines.map((line) => JSON.parse(line).body).sort((a, b) => a.length - b.length);
  bodies.slice(0, 60).forEach((body, number) => {
    write(api.replaceAll("-", "_"), `${number}`, body);
    if (number % 6 === 0) write("sse", `${api}-${number}`, body.slice(0, 600));
  });
}
