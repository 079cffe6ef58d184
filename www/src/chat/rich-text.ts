/**
 * Renders a model's Markdown as DOM: paragraphs, lists, headings, bold, italic, code and http(s) links. Nodes are
 * created one by one and text is set as text, so model output never becomes markup.
 */
import { h } from "../dom";

const inlinePattern =
  /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(?<![\m*])\*([^*\s][^*]*?)\*(?![\m*])|(https?:\/\/[^\s<>()"，。；！？）]+[^\s<>()"，。；！？）.,;:!?])/g;

function inline(text: string): (Node | string)[] {
  const out: (Node | string)[] = [];
  let at = 0;
  for (const match of text.matchAll(inlinePattern)) {
    if (match.index > at) out.push(text.slice(at, match.index));
    const [whole, bold, code, label, href, italic, bare] = match;
    if (bold !== undefined) out.push(h("strong", {}, ...inline(bold)));
    else if (code !== undefined) out.push(h("code", {}, code));
    else if (italic !== undefined) out.push(h("em", {}, ...inline(italic)));
    else out.push(link(href ?? bare ?? "", label ?? bare ?? ""));
    at = match.index + whole.length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

function link(href: string, label: string): HTMLElement {
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, label);
}

/** Returns the blocks of a text, one for each paragraph, list, heading or fenced code block. */
export function richText(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph: string[] = [];
  let list: HTMLElement | null = null;
  const flush = () => {
    if (!paragraph.length) return;
    const p = h("p");
    paragraph.forEach((line, at) => {
      if (at) p.append(h("br"));
      p.append(...inline(line));
    });
    blocks.push(p);
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const item = /^\s*(?:([-*•])|(\d{1,3})[.)、])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (/^\s*```/.test(line)) {
      flush();
      list = null;
      const code: string[] = [];
      while (++at < lines.length && !/^\s*```/.test(lines[at]!)) code.push(lines[at]!);
      blocks.push(h("pre", {}, h("code", {}, code.join("\n"))));
    } else if (item) {
      flush();
      const tag = item[1] ? "ul" : "ol";
      if (!list || list.localName !== tag) {
        list = h(tag, tag === "ol" ? { start: item[2] } : {});
        blocks.push(list);
      }
      list.append(h("li", {}, ...inline(item[3]!)));
    } else if (heading) {
      flush();
      list = null;
      blocks.push(h("p", { class: "message-heading" }, ...inline(heading[1]!)));
    } else if (!line.trim()) {
      flush();
      list = null;
    } else {
      list = null;
      paragraph.push(line);
    }
  }
  flush();
  return blocks;
}
