/** Text, links, images and references of a paragraph of DOCX. */

import type { DeletedTextRun, InsertedTextRun, IRunOptions, Paragraph, ParagraphChild, TextRun } from "docx";
import { isLineBreak } from "../document/node-kinds.js";
import type { NodeJSON } from "../types/index.js";
import { imageURL } from "../base/url-reference.js";
import type { Place } from "./anchors.js";
import { colorOf, fontOf, pointsOf } from "./css-values.js";
import { directedText } from "./direction.js";
import type { Library } from "./docx-library.js";
import { REFERENCE } from "./footnotes.js";
import type { LoadedImage } from "./images.js";
import { shortened } from "./images.js";
import { changeOf } from "./pending.js";
import { leafText, readersText, shownValue, withoutControls, type ExportLoss } from "./publication.js";
import type { ReadableBook } from "./readable.js";
import { strictURL } from "./strict-url.js";
import { wholeNumber } from "./whole-number.js";

/** A tracked change: its number, author and time. */
export type IChanged = { id: number; author: string; date: string };

/** The paragraph that inline content is in. */
export interface Line {
  readonly chapter: number;
  /** Twentieths of a point for images. */
  readonly width: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
  /** Set in footnotes, which have no footnotes. */
  readonly isNote: boolean;
}

/** The state that all paragraphs of a file share. */
export interface DocxSources {
  readonly docx: Library;
  readonly book: ReadableBook;
  readonly images: ReadonlyMap<string, LoadedImage>;
  readonly lost: ExportLoss[];
  /** The author of tracked changes. */
  readonly changedBy: string;
}

const TWENTIETHS_PER_PIXEL = 15;

export class InlineWriter {
  private changes = 0;
  private readonly date = new Date().toISOString();
  /** By chapter and id. */
  private readonly bookmarks = new Map<string, string>();
  /** The footnotes that were written: their numbers in the file, by chapter and number. */
  private readonly notes = new Map<string, number>();
  private noteCount = 0;
  /** The values of styles that are in `lost`. */
  private readonly lostStyles = new Set<string>();

  constructor(
    private readonly sources: DocxSources,
    /** Writes the content of a footnote. */
    private readonly note: (chapter: number, number: number) => Paragraph[],
  ) {}

  /** Returns the properties of the tracked change that a node is. */
  tracked(node: NodeJSON): { insertion?: IChanged; deletion?: IChanged } {
    const change = changeOf(node);
    return change ? { [change]: { id: ++this.changes, author: this.sources.changedBy, date: this.date } } : {};
  }

  run(node: NodeJSON, options: IRunOptions): TextRun | InsertedTextRun | DeletedTextRun {
    const { docx } = this.sources;
    const { insertion, deletion } = this.tracked(node);
    if (insertion) return new docx.InsertedTextRun({ ...options, ...insertion });
    return deletion ? new docx.DeletedTextRun({ ...options, ...deletion }) : new docx.TextRun(options);
  }

  /** Returns the name of the bookmark of a place, as Word allows them. Those that begin with `_` are in no list. */
  bookmarkOf({ chapter, id }: Place): string {
    const key = id ?? `\0${chapter}`;
    const name = this.bookmarks.get(key) ?? `_place_${this.bookmarks.size + 1}`;
    this.bookmarks.set(key, name);
    return name;
  }

  children(content: readonly NodeJSON[] | undefined, run: IRunOptions, line: Line): ParagraphChild[] {
    return (content ?? []).flatMap((node): ParagraphChild[] => {
      if (node.type === REFERENCE) return this.reference(node, line);
      const target = this.target(node, line.chapter);
      const style = target ? { style: "Hyperlink" } : {};
      const children = this.leaf(node, { ...run, ...this.format(node), ...style }, line);
      return target && children.length ? [this.linked(target, children)] : children;
    });
  }

  private linked(target: { anchor: string } | { link: string }, children: ParagraphChild[]): ParagraphChild {
    const { ExternalHyperlink, InternalHyperlink } = this.sources.docx;
    return "anchor" in target
      ? new InternalHyperlink({ ...target, children })
      : new ExternalHyperlink({ ...target, children });
  }

  private target({ marks }: NodeJSON, chapter: number): { anchor: string } | { link: string } | undefined {
    const mark = marks?.find(({ type }) => type === "link");
    const href = mark?.attrs?.href;
    if (!mark || typeof href !== "string" || href === "") return undefined;
    const target = this.sources.book.resolve(href, chapter);
    if (target && "place" in target) return { anchor: this.bookmarkOf(target.place) };
    const isInside = target?.url.startsWith("#");
    const link = target && !isInside ? strictURL(target.url) : undefined;
    if (link !== undefined) return { link };
    const reason = isInside ? "The book has no heading with this name." : "No file may have this URL.";
    this.sources.lost.push({ kind: "link", name: shortened(href), reason });
    return undefined;
  }

  private reference(node: NodeJSON, { chapter, isNote }: Line): ParagraphChild[] {
    const number = wholeNumber(node.attrs?.number, 1, Infinity) ?? 0;
    const { docx, lost } = this.sources;
    if (isNote) {
      lost.push({ kind: "footnote", name: String(number), reason: "A footnote of DOCX cannot refer to another." });
      return [];
    }
    const key = `${chapter} ${number}`;
    const { insertion, deletion } = this.tracked(node);
    const written = this.notes.get(key);
    if (written !== undefined && !insertion && !deletion) return [this.noteNumber(written)];
    const count = ++this.noteCount;
    if (!insertion && !deletion) this.notes.set(key, count);
    const reference = new docx.FootnoteReferenceRun({ children: this.note(chapter, number) });
    const change = insertion
      ? new docx.InsertedTextRun(insertion)
      : deletion
        ? new docx.DeletedTextRun(deletion)
        : undefined;
    if (!change) return [new docx.Bookmark({ id: noteBookmark(count), children: [reference] })];
    // It is rejected with its footnote, which no other reference may need.
    change.addChildElement(reference);
    return [change];
  }

  /** Returns the number of a footnote that was referred to before, which Word updates. */
  private noteNumber(count: number): ParagraphChild {
    const { docx } = this.sources;
    const field = new docx.SimpleField(`NOTEREF ${noteBookmark(count)} \\f \\h`);
    field.addChildElement(new docx.TextRun({ text: String(count), style: "FootnoteReference" }));
    return field;
  }

  private leaf(node: NodeJSON, run: IRunOptions, line: Line): ParagraphChild[] {
    if (isLineBreak(node.type)) return [this.run(node, { ...run, break: 1 })];
    if (node.type === "image") return this.image(node, line);
    const text = withoutControls(node.text === undefined ? leafText(node) : readersText(node));
    return directedText(text, line.isRightToLeft).map(({ text, isRightToLeft }) => {
      return this.run(node, { ...run, text, ...(isRightToLeft ? { rightToLeft: true } : {}) });
    });
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
          return this.shaded(attrs.color) ?? this.shaded("#fff59d")!;
        case "textStyle":
          return this.styled(attrs);
        default:
          return {};
      }
    });
    return Object.assign({}, ...options) as IRunOptions;
  }

  private shaded(css: unknown): IRunOptions | undefined {
    const fill = this.known(css, colorOf);
    return fill === undefined ? undefined : { shading: { type: this.sources.docx.ShadingType.CLEAR, fill } };
  }

  private styled({ color, backgroundColor, fontFamily, fontSize }: Record<string, unknown>): IRunOptions {
    const [hex, font] = [this.known(color, colorOf), this.known(fontFamily, fontOf)];
    const points = this.known(fontSize, pointsOf);
    return {
      ...(hex === undefined ? {} : { color: hex }),
      ...(font === undefined ? {} : { font: withoutControls(font) }),
      ...(points === undefined ? {} : { size: Math.round(points * 2) }),
      ...this.shaded(backgroundColor),
    };
  }

  /** Reads a value of CSS. One that DOCX cannot have is named once. */
  private known<T>(css: unknown, read: (css: unknown) => T | undefined): T | undefined {
    if (css === undefined || css === null || css === "") return undefined;
    const value = read(css);
    const name = shownValue(css);
    const isNeutral = /^(?:inherit|initial|unset|revert|transparent|currentcolor|normal)$/i.test(name.trim());
    if (value === undefined && !isNeutral && !this.lostStyles.has(name)) {
      this.lostStyles.add(name);
      this.sources.lost.push({ kind: "style", name, reason: "DOCX has no such color, font or size." });
    }
    return value;
  }

  image(node: NodeJSON, { width: widest, height: highest }: Pick<Line, "width" | "height">): ParagraphChild[] {
    const { attrs = {} } = node;
    const { docx, images } = this.sources;
    const alt = withoutControls(typeof attrs.alt === "string" ? attrs.alt : "");
    const image = images.get(imageURL(attrs.src) ?? "");
    if (!image) return alt ? [this.run(node, { text: alt, italics: true })] : [];
    const natural = { width: Math.max(1, image.width), height: Math.max(1, image.height) };
    const wanted = wholeNumber(attrs.width, 1, 100_000) ?? natural.width;
    const most = [widest, highest].map((size) => Math.max(1, size / TWENTIETHS_PER_PIXEL)) as [number, number];
    const width = Math.min(wanted, most[0], (most[1] * natural.width) / natural.height);
    const size = [width, (width * natural.height) / natural.width].map((length) => Math.max(1, Math.floor(length)));
    return [
      new docx.ImageRun({
        type: image.format as "png" | "jpg" | "gif" | "bmp",
        data: image.bytes,
        transformation: { width: size[0]!, height: size[1]! },
        ...this.tracked(node),
        altText: { name: alt, title: alt, description: alt },
      }),
    ];
  }
}

function noteBookmark(count: number): string {
  return `_note_${count}`;
}
