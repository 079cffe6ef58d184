// Names the smallest differences of two documents, so that failures can be grouped by what is wrong.
import { short } from "../show.mjs";

const key = (value) => JSON.stringify(value);

/** Returns the differences of two nodes as `{ kind, got, wanted }`; `kind` names types and attributes, never texts. */
export function differences(got, wanted, above = "") {
  const name = `${above}${wanted.type}`;
  if (key(got) === key(wanted)) return [];
  const at = (kind, one = got, other = wanted) => [{ kind, got: short(one), wanted: short(other) }];
  if (got.type !== wanted.type) return at(`${above}(${got.type} for ${wanted.type})`);
  const attrs = Object.keys({ ...got.attrs, ...wanted.attrs }).filter(
    (each) => key(got.attrs?.[each]) !== key(wanted.attrs?.[each]),
  );
  const found = attrs.length
    ? at(`${name} ${attrs.join(",")}`, { ...got, content: [] }, { ...wanted, content: [] })
    : [];
  const [a, b] = [got.content ?? [], wanted.content ?? []];
  const inline = [...a, ...b].some(({ type }) => type === "text");
  if (inline) return key(a) === key(b) ? found : [...found, ...at(`${name} ${inlineKind(a, b)}`)];
  if (a.length !== b.length) return [...found, ...trimmed(got, wanted, name)];
  const inner = a.flatMap((child, index) => differences(child, b[index], `${shortName(name)}/`));
  return [...found, ...inner];
}

/** The last two types of a path are enough to tell families apart. */
const shortName = (name) => name.split("/").slice(-2).join("/");

function trimmed(got, wanted, name) {
  const [a, b] = [got.content ?? [], wanted.content ?? []];
  let start = 0;
  while (start < Math.min(a.length, b.length) && key(a[start]) === key(b[start])) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && key(a.at(-1 - end)) === key(b.at(-1 - end))) end += 1;
  const [one, other] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const types = (nodes) => [...new Set(nodes.map(({ type }) => type))].join(",") || "nothing";
  return [
    {
      kind: `${name}: ${types(one)} for ${types(other)}`,
      got: one.map(short).join(" ▪ "),
      wanted: other.map(short).join(" ▪ "),
    },
  ];
}

function inlineKind(a, b) {
  const text = (nodes) => nodes.map((node) => (node.type === "text" ? node.text : `<${node.type}>`)).join("");
  if (text(a) !== text(b)) return "text";
  const names = (nodes) => key(nodes.map(({ marks, text: each }) => [(marks ?? []).map(({ type }) => type), each]));
  if (names(a) !== names(b)) return "marks";
  return key(a.map(({ marks }) => marks)) === key(b.map(({ marks }) => marks)) ? "leaves" : "mark attributes";
}
