/** Nodes as paragraphs and tables of DOCX. */

import type {
  DeletedTextRun,
  ILevelsOptions,
  InsertedTextRun,
  IParagraphOptions,
  IRunOptions,
  Paragraph,
  ParagraphChild,
  Table,
  TextRun,
} from "docx";
import type { NodeJSON } from "../types.js";
import type { LoadedImage } from "./images.js";
import { changeOf } from "./pending.js";
import { isComment, leafText, readersText, textOf, withoutControls, type ExportLoss } from "./publication.js";
import { imageURL, linkURL } from "../url-reference.js";
import { spansOf } from "./table-spans.js";
import { wholeNumber } from "./whole-number.js";

export type Library = typeof import("docx");

/** A tracked change: its number, author and time. */
type IChanged = { id: number; author: string; date: string };

/** What a block inherits from the blocks around it. */
interface Context {
  /** Depth of lists, and of quotes. */
  level: number;
  quote: boolean;
  /** The numbering of the item that the next paragraph starts, or its box. */
  mark?: Pick<IParagraphOptions, "numbering"> | { box: string };
}

/** Twentieths of a point for a level of a list. */
const INDENT = 425;
const LEVELS = 9;
/** Word's limit of a numbering. */
const LARGEST_START = 32_767;
/** Pixels between the margins. */
const WIDEST = 600;

export class DocxWriter {
  private readonly starts = new Set<number>();
  private instance = 0;
  private changes = 0;
  private readonly date = new Date().toISOString();

  constructor(
    private readonly docx: Library,
    private readonly images: ReadonlyMap<string, LoadedImage>,
    private readonly lost: ExportLoss[],
    /** The author of tracked changes. */
    private readonly changedBy: string,
  ) {}

  /** Returns the properties of the tracked change that a node is. */
  private tracked(node: NodeJSON): { insertion?: IChanged; deletion?: IChanged } {
    const change = changeOf(node);
    return change ? { [change]: { id: ++this.changes, author: this.changedBy, date: this.date } } : {};
  }

  private run(node: NodeJSON, options: IRunOptions): TextRun | InsertedTextRun | DeletedTextRun {
    const { insertion, deletion } = this.tracked(node);
    if (insertion) return new this.docx.InsertedTextRun({ ...options, ...insertion });
    return deletion ? new this.docx.DeletedTextRun({ ...options, ...deletion }) : new this.docx.TextRun(options);
  }

  /** Writes the blocks of a document. */
  body(doc: NodeJSON): (Paragraph | Table)[] {
    const written = this.blocks(doc.content, { level: 0, quote: false });
    return written.length > 0 ? written : [new this.docx.Paragraph({})];
  }

  /** The numberings of the lists that were written. */
  numberings(): { reference: string; levels: ILevelsOptions[] }[] {
    const { LevelFormat } = this.docx;
    const levels = (format: ILevelsOptions["format"], text: (level: number) => string, start = 1): ILevelsOptions[] => {
      return Array.from({ length: LEVELS }, (_, level) => ({
        level,
        format,
        start: level === 0 ? start : 1,
        text: text(level + 1),
        style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: INDENT } } },
      }));
    };
    const ordered = [...this.starts].map((start) => {
      return { reference: `ordered-${start}`, levels: levels(LevelFormat.DECIMAL, (level) => `%${level}.`, start) };
    });
    return [{ reference: "bullets", levels: levels(LevelFormat.BULLET, () => "•") }, ...ordered];
  }

  private blocks(content: readonly NodeJSON[] | undefined, context: Context): (Paragraph | Table)[] {
    return (content ?? []).flatMap((node, index) => {
      // The mark of an item stands before its first block.
      return this.block(node, index === 0 ? context : { ...context, mark: undefined });
    });
  }

  private block(node: NodeJSON, context: Context): (Paragraph | Table)[] {
    const { attrs = {}, content } = node;
    switch (node.type) {
      case "paragraph":
      case "detailsSummary":
        return [this.paragraph(node, context, node.type === "detailsSummary" ? { bold: true } : {})];
      case "heading": {
        const levels = Object.values(this.docx.HeadingLevel).slice(0, 6);
        return [this.paragraph(node, context, {}, { heading: levels[(wholeNumber(attrs.level, 1, 6) ?? 1) - 1] })];
      }
      case "bulletList":
        return this.items(node, context, () => ({ numbering: { reference: "bullets", level: this.depth(context) } }));
      case "orderedList": {
        const start = wholeNumber(attrs.start ?? 1, 0, LARGEST_START) ?? 0;
        // A nested numbering starts at 1.
        const reference = `ordered-${context.level === 0 ? start : 1}`;
        this.starts.add(context.level === 0 ? start : 1);
        const instance = ++this.instance;
        return this.items(node, context, () => ({ numbering: { reference, level: this.depth(context), instance } }));
      }
      case "taskList":
        return this.items(node, context, (item) => ({ box: item.attrs?.checked === true ? "☑ " : "☐ " }));
      case "blockquote":
        return this.blocks(content, { ...context, quote: true });
      case "codeBlock":
        return isComment(node) ? [] : [this.code(node, context)];
      case "horizontalRule":
        return [new this.docx.Paragraph({ thematicBreak: true })];
      case "image":
        return [
          new this.docx.Paragraph({ ...this.place(context), run: this.tracked(node), children: this.image(node) }),
        ];
      case "table":
        return [this.table(node)];
      case "blockMath":
        return [this.paragraph({ type: "paragraph", content: [{ type: "inlineMath", attrs }] }, context)];
      default:
        return this.other(node, context);
    }
  }

  /** A block of an extension: its content, or the URL of what it shows. */
  private other(node: NodeJSON, context: Context): (Paragraph | Table)[] {
    const isText = node.content?.some(({ type, text }) => text !== undefined || type === "hardBreak");
    if (isText) return [this.paragraph(node, context)];
    if (node.content) return this.blocks(node.content, context);
    const url = linkURL(node.attrs?.src);
    if (url === undefined) this.lost.push({ kind: "node", name: node.type, reason: "It has no text and no URL." });
    const text = url ?? leafText(node);
    const marks = url === undefined ? [] : [{ type: "link", attrs: { href: url } }];
    return text ? [this.paragraph({ type: "paragraph", content: [{ type: "text", text, marks }] }, context)] : [];
  }

  private items(list: NodeJSON, context: Context, mark: (item: NodeJSON) => Context["mark"]): (Paragraph | Table)[] {
    return (list.content ?? []).flatMap((item) => {
      return this.blocks(item.content, { ...context, level: context.level + 1, mark: mark(item) });
    });
  }

  private depth({ level }: Context): number {
    return Math.min(level, LEVELS - 1);
  }

  private place({ level, quote, mark }: Context): IParagraphOptions {
    if (mark && "numbering" in mark) return mark;
    const left = INDENT * level + (quote ? 567 : 0);
    return { ...(quote ? { style: "Quote" } : {}), ...(left > 0 ? { indent: { left } } : {}) };
  }

  private paragraph(
    node: NodeJSON,
    context: Context,
    run: IRunOptions = {},
    options: IParagraphOptions = {},
  ): Paragraph {
    const { LEFT, CENTER, RIGHT, BOTH } = this.docx.AlignmentType;
    const alignments = { left: LEFT, center: CENTER, right: RIGHT, justify: BOTH };
    const name = node.attrs?.textAlign;
    const isKnown = typeof name === "string" && Object.hasOwn(alignments, name);
    const aligned = isKnown ? alignments[name as keyof typeof alignments] : undefined;
    const box = context.mark && "box" in context.mark ? [new this.docx.TextRun(context.mark.box)] : [];
    return new this.docx.Paragraph({
      ...this.place(context),
      ...(aligned ? { alignment: aligned } : {}),
      ...options,
      // The end of the paragraph: without it, rejected paragraphs would stay as empty ones.
      ...(changeOf(node) ? { run: this.tracked(node) } : {}),
      children: [...box, ...this.inline(node.content, run)],
    });
  }

  private code(node: NodeJSON, context: Context): Paragraph {
    const children = (node.content ?? []).flatMap((child) =>
      withoutControls(textOf(child))
        .split("\n")
        .map((text, index) => this.run(child, { text, break: index === 0 ? 0 : 1 })),
    );
    const shading = { type: this.docx.ShadingType.CLEAR, fill: "F4F4F4" };
    return new this.docx.Paragraph({
      ...this.place(context),
      style: "Code",
      shading,
      run: this.tracked(node),
      children,
    });
  }

  private inline(content: readonly NodeJSON[] | undefined, run: IRunOptions): ParagraphChild[] {
    return (content ?? []).flatMap((node): ParagraphChild[] => {
      const href = linkURL(node.marks?.find(({ type }) => type === "link")?.attrs?.href);
      const children = this.leaf(node, { ...run, ...this.format(node), ...(href ? { style: "Hyperlink" } : {}) });
      return href ? [new this.docx.ExternalHyperlink({ link: href, children })] : children;
    });
  }

  private leaf(node: NodeJSON, run: IRunOptions): ParagraphChild[] {
    if (node.type === "hardBreak") return [this.run(node, { ...run, break: 1 })];
    if (node.type === "image") return this.image(node);
    const text = withoutControls(node.text === undefined ? leafText(node) : readersText(node));
    return text ? [this.run(node, { ...run, text })] : [];
  }

  private format({ marks = [] }: NodeJSON): IRunOptions {
    const options = marks.map(({ type, attrs = {} }): IRunOptions => {
      switch (type) {
        case "bold":
          return { bold: true };
        case "italic":
          return { italics: true };
        case "strike":
          return { strike: true };
        case "underline":
          return { underline: {} };
        case "code":
          return { font: "Consolas" };
        case "subscript":
          return { subScript: true };
        case "superscript":
          return { superScript: true };
        case "highlight":
          return { shading: { type: this.docx.ShadingType.CLEAR, fill: hex(attrs.color) ?? "FFF59D" } };
        case "textStyle": {
          const color = hex(attrs.color);
          return color === undefined ? {} : { color };
        }
        default:
          return {};
      }
    });
    return Object.assign({}, ...options) as IRunOptions;
  }

  private image(node: NodeJSON): ParagraphChild[] {
    const { attrs = {} } = node;
    const alt = withoutControls(typeof attrs.alt === "string" ? attrs.alt : "");
    const image = this.images.get(imageURL(attrs.src) ?? "");
    if (!image) return alt ? [this.run(node, { text: alt, italics: true })] : [];
    const width = wholeNumber(attrs.width, 1, WIDEST) ?? Math.max(1, Math.min(image.width, WIDEST));
    const height = Math.max(1, (width * image.height) / Math.max(1, image.width));
    const transformation = { width: Math.round(width), height: Math.round(height) };
    const type = image.format as "png" | "jpg" | "gif" | "bmp";
    return [
      new this.docx.ImageRun({
        type,
        data: image.bytes,
        transformation,
        ...this.tracked(node),
        altText: { name: alt, title: alt, description: alt },
      }),
    ];
  }

  private table(node: NodeJSON): Table {
    const spans = spansOf(node.content ?? []);
    const rows = (node.content ?? []).map((row, at) => {
      const isHeader = row.content?.every(({ type }) => type === "tableHeader") ?? false;
      const children = (spans[at] ?? []).map((span, index) => {
        const cell = row.content?.[index] ?? { type: "tableCell" };
        const { align } = cell.attrs ?? {};
        const content = cell.content?.map((child) => {
          return child.type === "paragraph" && align
            ? { ...child, attrs: { textAlign: align, ...present(child.attrs) } }
            : child;
        });
        const written = this.blocks(content, { level: 0, quote: false });
        // A cell ends with a paragraph.
        if (!(written.at(-1) instanceof this.docx.Paragraph)) written.push(new this.docx.Paragraph({}));
        return new this.docx.TableCell({
          children: written,
          columnSpan: span.columns,
          rowSpan: span.rows,
          ...(cell.type === "tableHeader" ? { shading: { type: this.docx.ShadingType.CLEAR, fill: "F4F4F4" } } : {}),
        });
      });
      return new this.docx.TableRow({ children, ...this.tracked(row), ...(isHeader ? { tableHeader: true } : {}) });
    });
    return new this.docx.Table({ rows, width: { size: 100, type: this.docx.WidthType.PERCENTAGE } });
  }
}

/** Returns the attributes that are set. */
function present(attrs: Record<string, unknown> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attrs).filter(([, value]) => value !== null && value !== undefined));
}

/** Returns a color as DOCX writes it. */
function hex(color: unknown): string | undefined {
  const [, long, short] = /^#(?:([\da-f]{6})|([\da-f]{3}))$/i.exec(typeof color === "string" ? color : "") ?? [];
  return long?.toUpperCase() ?? short?.replace(/./g, "$&$&").toUpperCase();
}
