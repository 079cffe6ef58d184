// Says a call in the operations of BlockNote's AI: update, add and delete of blocks, each written as HTML.
import { linesOf } from "../tree.mjs";
import { blocksOf, escapeHtml, imageHtml, readContent } from "../adapters/content.mjs";

/** Returns the blocks of an editor in the order of the document, children after their parent. */
const flatten = (blocks) => blocks.flatMap((block) => [block, ...flatten(block.children)]);

const cellsOf = (block) => (block.type === "table" ? block.content.rows.flatMap(({ cells }) => cells) : []);

/** Returns for each line of the document the block that holds it, and which cell of a table. */
function placesOf(document, blocks) {
  const holders = blocks.flatMap((block) =>
    block.type === "table" ? cellsOf(block).map((_, cell) => ({ block, cell })) : [{ block }],
  );
  const seen = [];
  return linesOf(document).map(({ path, segment }) => {
    const key = path.join();
    if (seen.at(-1) !== key) seen.push(key);
    return { ...holders[seen.length - 1], segment };
  });
}

const parsed = (html) => new DOMParser().parseFromString(html, "text/html").body;

/** Returns HTML as elements of one block each: items become lists of one item. */
function elementsOf(html) {
  return [...parsed(html).childNodes].flatMap((node) => {
    if (node.nodeType === 3) return node.data.trim() ? [`<p>${escapeHtml(node.data)}</p>`] : [];
    if (node.nodeType !== 1) return [];
    if (!/^(UL|OL)$/.test(node.tagName)) return [node.outerHTML];
    return [...node.children].map((item) => {
      const list = node.cloneNode(false);
      list.append(item.cloneNode(true));
      return list.outerHTML;
    });
  });
}

const HOLDERS = "p, h1, h2, h3, h4, h5, h6, code, td, th, li";

/** Returns the HTML of a block with other inline content in one of its lines. */
function withLine(html, { cell, segment }, inline) {
  const root = parsed(html);
  const holder =
    cell === undefined
      ? [...root.querySelectorAll(HOLDERS)].findLast((each) => !each.querySelector(HOLDERS))
      : root.querySelectorAll("td, th")[cell];
  if (!holder) return `<p>${inline}</p>`;
  const inner = holder.querySelector("p") ?? holder;
  const separator = inner.closest("pre") ? "\n" : "<br>";
  const lines = inner.innerHTML.split(inner.closest("pre") ? "\n" : /<br[^>]*>/);
  lines[segment] = inline;
  inner.innerHTML = lines.filter((line) => line !== undefined).join(separator);
  return root.innerHTML;
}

/** Returns the operations for a call, or `{ refused }`. */
export function operationsFor(one, editor) {
  const { call, document } = one;
  const blocks = flatten(editor.document);
  const htmlOf = (block) => editor.blocksToHTMLLossy([{ ...block, children: [] }]);
  const update = (block, html) => ({ type: "update", id: `${block.id}$`, block: html });
  const remove = (block) => ({ type: "delete", id: `${block.id}$` });
  const addAt = (block, position, list) => ({ type: "add", referenceId: `${block.id}$`, position, blocks: list });
  const rewrite = (old, elements) => {
    const paired = old.slice(0, elements.length).map((block, index) => update(block, elements[index]));
    const more = elements.slice(old.length);
    return [
      ...paired,
      ...(more.length ? [addAt(old.at(-1), "after", more)] : []),
      ...old.slice(elements.length).map(remove),
    ];
  };

  if (call.operation === "replace_text") {
    const found = blocks.filter((block) => htmlOf(block).includes(call.old));
    if (!found.length) return { refused: "not_found" };
    return (call.all ? found : found.slice(0, 1)).map((block) =>
      update(block, htmlOf(block).replaceAll(call.old, call.new)),
    );
  }
  if (call.operation === "replace_lines") {
    const places = placesOf(document, blocks);
    return call.edits.flatMap(({ start_line: start, end_line: end = start, content, format }) => {
      if (start === undefined) return rewrite(editor.document, elementsOf(blocksOf(content, format)));
      const meant = places.slice(start - 1, end);
      if (!meant.length) throw new Error("no such line");
      const old = [...new Set(meant.map(({ block }) => block))];
      if (content === "" && meant.every(({ cell, segment }) => cell === undefined && !segment)) return old.map(remove);
      const { html, inline, lines } = readContent(content, format);
      const texts = lines ?? (inline ? [html] : undefined);
      if (texts && texts.length === meant.length) {
        return old.map((block) =>
          update(
            block,
            meant.reduce(
              (made, place, index) => (place.block === block ? withLine(made, place, texts[index]) : made),
              htmlOf(block),
            ),
          ),
        );
      }
      if (texts)
        return rewrite(
          old,
          texts.map((text) => withLine(htmlOf(old[0]), { segment: 0 }, text)),
        );
      return rewrite(old, elementsOf(html));
    });
  }
  // Sections: top-level blocks from one heading of level 2 to the next.
  const top = editor.document;
  const starts = [
    0,
    ...top.flatMap((block, index) => (block.type === "heading" && block.props.level === 2 ? [index] : [])),
  ];
  const sectionOf = (index) => top.slice(starts[index], starts[index + 1] ?? top.length);
  const heading = call.title === undefined ? [] : [`<h2>${escapeHtml(call.title)}</h2>`];
  const elements = () => [...heading, ...elementsOf(blocksOf(call.content, call.format))];
  if (call.operation === "append") return [addAt(top.at(-1), "after", elements())];
  if (!(call.sectionIndex in starts)) return { refused: "no_such_section" };
  const section = sectionOf(call.sectionIndex);
  if (call.operation === "insert") return [addAt(section[0], "before", elements())];
  if (call.operation === "delete") return section.flatMap((block) => remove(block));
  if (call.operation === "insert_image")
    return [
      call.position === "before_section"
        ? addAt(section[0], "before", [imageHtml(call)])
        : addAt(section.at(-1), "after", [imageHtml(call)]),
    ];
  if (call.operation === "move_section") {
    const target = sectionOf(call.toIndex);
    const html = section.map(htmlOf);
    return [
      call.toIndex > call.sectionIndex ? addAt(target.at(-1), "after", html) : addAt(target[0], "before", html),
      ...section.map(remove),
    ];
  }
  const hasHeading = section[0]?.type === "heading" && section[0].props.level <= 2;
  const [first, rest] = hasHeading ? [[section[0]], section.slice(1)] : [[], section];
  const content = elementsOf(blocksOf(call.content, call.format));
  const title = heading.length && first.length ? [update(first[0], heading[0])] : [];
  return [...title, ...(rest.length ? rewrite(rest, content) : [addAt(first[0], "after", content)])];
}
