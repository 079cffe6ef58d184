/**
 * Renders a model's Markdown: paragraphs, lists, headings, bold, italic, code and http(s) links. Text is set as text, so
 * a model's output never becomes markup.
 */

import { html, type TemplateResult } from "lit";

const INLINE =
  /\*\*(.+?)\*\*|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)|(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])|(https?:\/\/[^\s<>()"，。；！？）]+[^\s<>()"，。；！？）.,;:!?])/g;

type Rendered = TemplateResult | string;

function inline(text: string): Rendered[] {
  const out: Rendered[] = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > at) out.push(text.slice(at, match.index));
    const [whole, bold, code, label, href, italic, bare] = match;
    if (bold !== undefined) out.push(html`<strong>${inline(bold)}</strong>`);
    else if (code !== undefined) out.push(html`<code>${code}</code>`);
    else if (italic !== undefined) out.push(html`<em>${inline(italic)}</em>`);
    else out.push(link(href ?? bare ?? "", label ?? bare ?? ""));
    at = match.index + whole.length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

function link(href: string, label: string): TemplateResult {
  return html`<a href=${href} target="_blank" rel="noopener noreferrer">${label}</a>`;
}

interface List {
  start: string | undefined;
  items: Rendered[][];
}

function listOf({ start, items }: List): TemplateResult {
  const rows = items.map((item) => html`<li>${item}</li>`);
  return start === undefined
    ? html`<ul>
        ${rows}
      </ul>`
    : html`<ol start=${start}>
        ${rows}
      </ol>`;
}

/** Returns the blocks of a text, one for each paragraph, list, heading or fenced code block. */
export function markdown(text: string): TemplateResult[] {
  const blocks: (TemplateResult | List)[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  let paragraph: string[] = [];
  let list: List | null = null;
  const flush = () => {
    if (!paragraph.length) return;
    const rows = paragraph.map((line, at) => [at ? html`<br />` : "", ...inline(line)]);
    blocks.push(html`<p>${rows}</p>`);
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const item = /^\s*(?:([-*•])|(\d{1,3})[.)、])\s+(.*)$/.exec(line);
    const heading = /^#{1,6}\s+(.*)$/.exec(line);
    if (item) {
      flush();
      if (!list || (list.start === undefined) !== !!item[1]) blocks.push((list = { start: item[2], items: [] }));
      list.items.push(inline(item[3]!));
      continue;
    }
    const isFence = /^\s*```/.test(line);
    if (isFence || heading || !line.trim()) flush();
    list = null;
    if (isFence) {
      const code: string[] = [];
      while (++at < lines.length && !/^\s*```/.test(lines[at]!)) code.push(lines[at]!);
      blocks.push(html`<pre tabindex="0"><code>${code.join("\n")}</code></pre>`);
    } else if (heading) blocks.push(html`<p class="message-heading">${inline(heading[1]!)}</p>`);
    else if (line.trim()) paragraph.push(line);
  }
  flush();
  return blocks.map((block) => ("items" in block ? listOf(block) : block));
}
