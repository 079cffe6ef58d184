/** Nodes as paragraphs and tables of DOCX. */

import type {
  IParagraphOptions,
  IRunOptions,
  ITableCellOptions,
  Paragraph,
  ParagraphChild,
  Table,
  TextRun,
} from "docx";
import { isInline } from "../document/node-kinds.js";
import { isComment, leafText, textOf, withoutControls } from "./publication.js";
import type { NodeJSON } from "../types/index.js";
import { linkURL } from "../base/url-reference.js";
import { colorOf } from "./css-values.js";
import { isBlockRightToLeft, isRightToLeft } from "./direction.js";
import { InlineWriter, type DocxSources, type Line } from "./docx-inline.js";
import { INDENT, Numbering, type NumberingOptions } from "./docx-numbering.js";
import { changeOf } from "./pending.js";
import { columnWidthsOf, spansOf } from "./table-spans.js";
import { wholeNumber } from "./whole-number.js";

/** The size of the text's area on a page, in twentieths of a point. */
export interface Area {
  readonly width: number;
  readonly height: number;
}

/** The properties that a block inherits from the blocks around it. */
interface Context {
  readonly chapter: number;
  /** Depth of lists. */
  readonly level: number;
  /** The distance from the margin, and the width that is left. */
  readonly left: number;
  readonly width: number;
  readonly isQuote: boolean;
  readonly isNote: boolean;
  /** The mark of the item that the next paragraph starts. */
  readonly mark?: Mark | undefined;
}

/** The numbering of an item, or its box. */
interface Mark {
  readonly numbering?: NumberingOptions;
  readonly box?: string;
  isWritten?: boolean;
}

const QUOTE_INDENT = 567;
/** Within many lists and quotes, text and tables keep this width. */
const NARROWEST = 1_440;
/** The space at the sides of the text of a cell. */
const CELL_MARGINS = 216;
const NARROWEST_COLUMN = 400;
/** Word opens no file with more. */
const MOST_COLUMNS = 63;
const SHADE = "F4F4F4";

export class DocxWriter {
  private readonly inline: InlineWriter;
  private readonly numbering: Numbering;
  private readonly isRightToLeft: boolean;
  /** The bookmarks that the next paragraph gets. */
  private pendingBookmarks: string[] = [];

  constructor(
    private readonly sources: DocxSources,
    private readonly area: Area,
  ) {
    this.inline = new InlineWriter(sources, (chapter, number) => this.note(chapter, number));
    this.numbering = new Numbering(sources.docx);
    this.isRightToLeft = isRightToLeft(sources.book.language);
  }

  /** Writes the blocks of a chapter. */
  body(chapter: number): (Paragraph | Table)[] {
    this.pendingBookmarks = [this.inline.bookmarkOf({ chapter })];
    const context = { chapter, level: 0, left: 0, width: this.area.width, isQuote: false, isNote: false };
    const blocks = this.closed(this.blocks(this.sources.book.chapters[chapter]!.json.content, context));
    if (!this.pendingBookmarks.length) return blocks;
    // No block of the chapter could have them.
    return [...blocks, this.made({ children: [] }, context)];
  }

  /** The numberings of the lists that were written. */
  numberings(): ReturnType<Numbering["config"]> {
    return this.numbering.config();
  }

  private note(chapter: number, number: number): Paragraph[] {
    const { Paragraph } = this.sources.docx;
    const footnote = this.sources.book.chapters[chapter]!.footnotes[number - 1];
    const context = { chapter, level: 0, left: 0, width: this.area.width, isQuote: false, isNote: true };
    const written = this.blocks(footnote?.content, context).filter((block) => block instanceof Paragraph);
    return written.length > 0 ? written : [new Paragraph({ style: "FootnoteText" })];
  }

  /** Returns blocks with paragraphs between tables, which Word would join, and behind the last one. */
  private closed(blocks: (Paragraph | Table)[]): (Paragraph | Table)[] {
    const { Paragraph, Table } = this.sources.docx;
    const empty = () => new Paragraph({ spacing: { before: 0, after: 0 }, run: { size: 8 } });
    const all = blocks.flatMap((block, at) => {
      const next = blocks[at + 1];
      return block instanceof Table && (next === undefined || next instanceof Table) ? [block, empty()] : [block];
    });
    return all.length > 0 ? all : [new Paragraph({})];
  }

  private blocks(content: readonly NodeJSON[] | undefined, context: Context): (Paragraph | Table)[] {
    return (content ?? []).flatMap((node, index) => {
      // The mark of an item precedes its first block.
      return this.block(node, index === 0 ? context : { ...context, mark: undefined });
    });
  }

  private block(node: NodeJSON, context: Context): (Paragraph | Table)[] {
    const { attrs = {}, content } = node;
    switch (node.type) {
      case "paragraph":
      case "detailsSummary":
        return [this.paragraph(node, context, node.type === "detailsSummary" ? { bold: true } : {})];
      case "heading":
        return [this.heading(node, context)];
      case "bulletList":
      case "orderedList": {
        const numbering = this.numbering.of(node, context.level);
        return this.items(node, context, () => ({ numbering }));
      }
      case "taskList":
        return this.items(node, context, (item) => ({ box: item.attrs?.checked === true ? "☑ " : "☐ " }));
      case "blockquote":
        return this.blocks(content, { ...inner(context, QUOTE_INDENT), isQuote: true });
      case "codeBlock":
        return isComment(node) ? [] : [this.code(node, context)];
      case "horizontalRule":
        return [this.made({ thematicBreak: true, children: [] }, context)];
      case "image": {
        const children = [...this.box(context), ...this.inline.image(node, this.line(context))];
        return [this.made({ ...this.place(context), run: this.inline.tracked(node), children }, context)];
      }
      case "table":
        return this.table(node, context);
      case "blockMath":
        return [this.paragraph({ type: "paragraph", content: [{ type: "inlineMath", attrs }] }, context)];
      default:
        return this.other(node, context);
    }
  }

  /** A block of an extension: its content, or the URL of what it shows. */
  private other(node: NodeJSON, context: Context): (Paragraph | Table)[] {
    const isText = node.content?.some(({ type, text }) => text !== undefined || isInline(type));
    if (isText) return [this.paragraph(node, context)];
    if (node.content) return this.blocks(node.content, context);
    const url = linkURL(node.attrs?.src);
    if (url === undefined)
      this.sources.lost.push({ kind: "node", name: node.type, reason: "It has no text and no URL." });
    const text = url ?? leafText(node);
    const marks = url === undefined ? [] : [{ type: "link", attrs: { href: url } }];
    return text ? [this.paragraph({ type: "paragraph", content: [{ type: "text", text, marks }] }, context)] : [];
  }

  private items(list: NodeJSON, context: Context, mark: (item: NodeJSON) => Mark): (Paragraph | Table)[] {
    const inside = { ...inner(context, INDENT), level: context.level + 1 };
    return (list.content ?? []).flatMap((item) => {
      const own = { ...inside, mark: mark(item) };
      const written = this.blocks(item.content, own);
      // An item that starts with a list or a table, or has no content.
      return own.mark.isWritten ? written : [this.paragraph({ type: "paragraph" }, own), ...written];
    });
  }

  private line({ chapter, width, isNote }: Context, isRightToLeft = this.isRightToLeft): Line {
    // A line of text fits on the page of the largest image.
    return { chapter, width, height: this.area.height * 0.9, isRightToLeft, isNote };
  }

  private box({ mark }: Context): TextRun[] {
    if (mark?.box === undefined) return [];
    mark.isWritten = true;
    return [new this.sources.docx.TextRun(mark.box)];
  }

  private place({ left, isQuote, isNote, mark }: Context): IParagraphOptions {
    const numbering = mark?.numbering;
    if (mark && numbering) mark.isWritten = true;
    return {
      ...(isQuote ? { style: "Quote" } : isNote ? { style: "FootnoteText" } : {}),
      ...(numbering ? { numbering } : {}),
      ...(left > 0 ? { indent: numbering ? { left, hanging: INDENT } : { left } } : {}),
    };
  }

  private heading(node: NodeJSON, context: Context): Paragraph {
    const levels = Object.values(this.sources.docx.HeadingLevel).slice(0, 6);
    const { id, level } = node.attrs ?? {};
    if (typeof id === "string") this.pendingBookmarks.push(this.inline.bookmarkOf({ chapter: context.chapter, id }));
    return this.paragraph(node, context, {}, { heading: levels[(wholeNumber(level, 1, 6) ?? 1) - 1] });
  }

  private paragraph(
    node: NodeJSON,
    context: Context,
    run: IRunOptions = {},
    options: IParagraphOptions = {},
  ): Paragraph {
    const { docx } = this.sources;
    const { LEFT, CENTER, RIGHT, BOTH } = docx.AlignmentType;
    const alignments = { left: LEFT, center: CENTER, right: RIGHT, justify: BOTH };
    const name = node.attrs?.textAlign;
    const isKnown = typeof name === "string" && Object.hasOwn(alignments, name);
    const aligned = isKnown ? alignments[name as keyof typeof alignments] : undefined;
    const isRightToLeft = isBlockRightToLeft(node, this.isRightToLeft);
    const children = this.inline.children(node.content, run, this.line(context, isRightToLeft));
    const paragraph = {
      ...this.place(context),
      ...(aligned ? { alignment: aligned } : {}),
      ...(isRightToLeft ? { bidirectional: true } : {}),
      ...options,
      // The end of the paragraph: without it, rejected paragraphs would stay as empty ones.
      ...(changeOf(node) ? { run: this.inline.tracked(node) } : {}),
      children: [...this.box(context), ...children],
    };
    return this.made(paragraph, context);
  }

  /** Makes a paragraph, with the targets of links at its beginning. */
  private made(options: IParagraphOptions & { children: ParagraphChild[] }, { isNote }: Context): Paragraph {
    const { Bookmark, Paragraph } = this.sources.docx;
    const names = isNote ? [] : this.pendingBookmarks.splice(0);
    const bookmarks = names.map((id) => new Bookmark({ id, children: [] }));
    return new Paragraph({ ...options, children: [...bookmarks, ...options.children] });
  }

  private code(node: NodeJSON, context: Context): Paragraph {
    const { docx } = this.sources;
    const children = (node.content ?? []).flatMap((child) =>
      withoutControls(textOf(child))
        .split("\n")
        .map((text, index) => this.inline.run(child, { text, break: index === 0 ? 0 : 1 })),
    );
    const paragraph = {
      ...this.place(context),
      style: "Code",
      shading: { type: docx.ShadingType.CLEAR, fill: SHADE },
      run: this.inline.tracked(node),
      children: [...this.box(context), ...children],
    };
    return this.made(paragraph, context);
  }

  private table(node: NodeJSON, context: Context): (Paragraph | Table)[] {
    const { docx, lost } = this.sources;
    const rows = (node.content ?? []).map((row) => within(row, MOST_COLUMNS));
    if (rows.some((row, at) => row.content?.length !== (node.content?.[at]?.content ?? []).length))
      lost.push({ kind: "node", name: "table", reason: `Word has tables of at most ${MOST_COLUMNS} columns.` });
    const spans = spansOf(rows, MOST_COLUMNS);
    if (context.isNote) {
      lost.push({ kind: "node", name: "table", reason: "A footnote of DOCX has its cells as paragraphs." });
      return rows.flatMap((row) => (row.content ?? []).flatMap((cell) => this.blocks(cell.content, context)));
    }
    const widths = fitted(columnWidthsOf(rows, spans), context.width);
    if (widths.length === 0) return [];
    const written = rows.map((row, at) => {
      const isHeader = row.content?.every(({ type }) => type === "tableHeader") ?? false;
      const children = spans[at]!.map(({ column, columns, rows }, index) => {
        const width = widths.slice(column, column + columns).reduce((sum, one) => sum + one, 0);
        const cell = row.content?.[index] ?? { type: "tableCell" };
        return new docx.TableCell({ ...this.cell(cell, width, context), columnSpan: columns, rowSpan: rows });
      });
      const header = isHeader ? { tableHeader: true } : {};
      return new docx.TableRow({ children, ...this.inline.tracked(row), ...header });
    });
    const total = widths.reduce((sum, one) => sum + one, 0);
    return [
      new docx.Table({
        rows: written,
        columnWidths: widths,
        width: { size: total, type: docx.WidthType.DXA },
        layout: docx.TableLayoutType.FIXED,
        ...(context.left > 0 ? { indent: { size: context.left, type: docx.WidthType.DXA } } : {}),
        ...(isBlockRightToLeft(node, this.isRightToLeft) ? { visuallyRightToLeft: true } : {}),
      }),
    ];
  }

  private cell(cell: NodeJSON, width: number, { chapter }: Context): ITableCellOptions {
    const { align, backgroundColor } = cell.attrs ?? {};
    const content = cell.content?.map((child) => {
      return child.type === "paragraph" && align
        ? { ...child, attrs: { textAlign: align, ...present(child.attrs) } }
        : child;
    });
    const inside = Math.max(NARROWEST_COLUMN, width - CELL_MARGINS);
    const context = { chapter, level: 0, left: 0, width: inside, isQuote: false, isNote: false };
    const fill = colorOf(backgroundColor) ?? (cell.type === "tableHeader" ? SHADE : undefined);
    return {
      children: this.closed(this.blocks(content, context)),
      ...(fill ? { shading: { type: this.sources.docx.ShadingType.CLEAR, fill } } : {}),
    };
  }
}

/** Returns the context of blocks that are indented by a distance. */
function inner(context: Context, distance: number): Context {
  const width = Math.max(NARROWEST, context.width - distance);
  return { ...context, width, left: context.left + context.width - width };
}

/** Returns a row with cells of at most as many columns. */
function within(row: NodeJSON, most: number): NodeJSON {
  let columns = 0;
  const content = (row.content ?? []).filter(({ attrs }) => {
    columns += wholeNumber(attrs?.colspan, 1, most) ?? 1;
    return columns <= most;
  });
  return { ...row, content };
}

/** Returns the widths of columns in twentieths of a point: as wanted, or narrower, such that they fit. */
function fitted(wanted: readonly (number | undefined)[], available: number): number[] {
  const known = wanted.map((width) => (width === undefined ? undefined : width * 15));
  const sum = known.reduce((total: number, width) => total + (width ?? 0), 0);
  const missing = known.filter((width) => width === undefined).length;
  const rest = missing ? Math.max(NARROWEST_COLUMN, (available - sum) / missing) : 0;
  const scale = Math.min(1, available / Math.max(1, sum + rest * missing));
  return known.map((width) => Math.max(1, Math.floor((width ?? rest) * scale)));
}

/** Returns the attributes that are set. */
function present(attrs: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null && value !== undefined));
}
