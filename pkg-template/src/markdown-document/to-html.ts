/** Markdown's tree to HTML, in the form in which TipTap's extensions parse it. */

import type {
  Definition,
  FootnoteDefinition,
  List,
  ListItem,
  Nodes,
  PhrasingContent,
  Root,
  RootContent,
  Table,
} from "mdast";
import { definitionsOf, isTaskList, lf, rangeOf, withoutSoftBreaks } from "./tree.js";

/**
 * Returns the HTML of a tree. Raw HTML is not changed: like all content it is parsed by the editor's schema and checked
 * by the guards. URLs are not changed either, because the guards compare them with those that tools returned.
 *
 * @param count is called with the length of each link and image: a short reference can repeat a long URL many times.
 */
export function htmlOf(source: string, tree: Root, count: (length: number) => void): string {
  return new HTMLWriter(source, definitionsOf(tree), count).blocks(tree.children);
}

class HTMLWriter {
  constructor(
    private readonly source: string,
    private readonly definitions: ReadonlyMap<string, Definition>,
    private readonly count: (length: number) => void,
  ) {}

  blocks(children: readonly RootContent[]): string {
    return children.map((child) => this.block(child)).join("\n");
  }

  /** Writes blocks that start with a paragraph, as TipTap's items do, and that paragraph with a text before its own. */
  private paragraphAndBlocks(text: string, children: readonly RootContent[]): string {
    const [first, ...others] = children;
    if (first?.type !== "paragraph") return `<p>${escape(text)}</p>${this.blocks(children)}`;
    return `<p>${escape(text)}${this.inline(first.children)}</p>${this.blocks(others)}`;
  }

  private block(node: RootContent): string {
    switch (node.type) {
      case "paragraph": {
        const html = this.inline(node.children);
        // Images are blocks: inside a paragraph they would leave empty paragraphs behind.
        return node.children.every(isImage) ? html : `<p>${html}</p>`;
      }
      case "heading":
        return `<h${node.depth}>${this.inline(node.children)}</h${node.depth}>`;
      case "thematicBreak":
        return "<hr>";
      case "blockquote":
        return `<blockquote>${this.blocks(node.children)}</blockquote>`;
      case "code":
        return `<pre><code${attribute("class", node.lang && `language-${node.lang}`)}>${escape(lf(node.value))}</code></pre>`;
      case "list":
        return this.list(node);
      case "table":
        return this.table(node);
      case "html":
        return node.value;
      case "definition":
        return "";
      case "footnoteDefinition":
        return this.footnote(node);
      default:
        return `<p>${this.sourceOf(node)}</p>`;
    }
  }

  private list(node: List): string {
    const items = node.children.map((item) => this.item(item, isTaskList(node))).join("");
    if (isTaskList(node)) return `<ul data-type="taskList">${items}</ul>`;
    if (!node.ordered) return `<ul>${items}</ul>`;
    return `<ol${attribute("start", node.start === 1 ? undefined : String(node.start))}>${items}</ol>`;
  }

  private item({ checked, children }: ListItem, isTask: boolean): string {
    if (isTask) {
      return `<li data-type="taskItem" data-checked="${checked === true}">${this.paragraphAndBlocks("", children)}</li>`;
    }
    // Among other items a task stays readable.
    const box = typeof checked === "boolean" ? `[${checked ? "x" : " "}] ` : "";
    return `<li>${this.paragraphAndBlocks(box, children)}</li>`;
  }

  private table({ align, children }: Table): string {
    const width = children[0]?.children.length ?? 0;
    const rows = children.map((row, index) => {
      const tag = index === 0 ? "th" : "td";
      const cells = Array.from({ length: width }, (_, column) => {
        return `<${tag}${attribute("align", align?.[column])}>${this.inline(row.children[column]?.children ?? [])}</${tag}>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    });
    return `<table><tbody>${rows.join("")}</tbody></table>`;
  }

  /** Writes a footnote as paragraphs: no node of TipTap's extensions is one. */
  private footnote({ identifier, label, children }: FootnoteDefinition): string {
    return this.paragraphAndBlocks(`[^${label ?? identifier}]: `, children);
  }

  private inline(children: readonly PhrasingContent[]): string {
    return children.map((child) => this.phrasing(child)).join("");
  }

  private phrasing(node: PhrasingContent): string {
    switch (node.type) {
      case "text":
        return escape(withoutSoftBreaks(node.value));
      case "strong":
        return `<strong>${this.inline(node.children)}</strong>`;
      case "emphasis":
        return `<em>${this.inline(node.children)}</em>`;
      case "delete":
        return `<s>${this.inline(node.children)}</s>`;
      case "inlineCode":
        return `<code>${escape(node.value.replace(/\r\n?|\n/g, " "))}</code>`;
      case "break":
        return "<br>";
      case "html":
        return node.value;
      case "link":
      case "linkReference": {
        const target = node.type === "link" ? node : this.definitions.get(node.identifier);
        // A link without text would be nothing.
        if (!target || node.children.length === 0) return this.sourceOf(node);
        const start = `<a href="${escape(target.url)}"${attribute("title", target.title)}>`;
        return this.counted(start) + `${this.inline(node.children)}</a>`;
      }
      case "image":
      case "imageReference": {
        const target = node.type === "image" ? node : this.definitions.get(node.identifier);
        if (!target) return this.sourceOf(node);
        const attributes = attribute("alt", node.alt) + attribute("title", target.title);
        return this.counted(`<img src="${escape(target.url)}"${attributes}>`);
      }
      default:
        return this.sourceOf(node);
    }
  }

  private counted(html: string): string {
    this.count(html.length);
    return html;
  }

  private sourceOf(node: Nodes): string {
    const { from, to } = rangeOf(node);
    return escape(lf(this.source.slice(from, to)));
  }
}

function isImage(node: PhrasingContent): boolean {
  return node.type === "image" || node.type === "imageReference" || (node.type === "text" && node.value.trim() === "");
}

/** Writes an attribute, if it has a value. */
function attribute(name: string, value: string | null | undefined): string {
  return value ? ` ${name}="${escape(value)}"` : "";
}

function escape(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
