/**
 * The encodings of text files. `TextEncoder` writes UTF-8 only; the tables of GB 18030 are those of `TextDecoder`, read
 * backwards.
 */

import type { TextEncoding } from "../types/index.js";

export const ENCODINGS: readonly TextEncoding[] = ["utf-8", "utf-16le", "utf-16be", "gbk", "gb18030"];

/** A text with the encoding of its bytes. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

const encoder = new TextEncoder();
const LINE_FEED = 0x0a;

/**
 * Returns the text of a file; undefined if it is not a text. UTF-16 is recognized by its byte order mark, which is not
 * part of the text. Other files are UTF-8, or GB 18030 if that reads as Chinese.
 */
export function textIn(bytes: Uint8Array): DecodedText | undefined {
  const marked = markedEncoding(bytes);
  if (!marked && bytes.includes(0)) return undefined;
  const text = marked ? decodedAs(bytes.subarray(2), marked) : decodedAs(bytes, "utf-8");
  if (text !== undefined) return text.includes("\0") ? undefined : { text, encoding: marked ?? "utf-8" };
  return marked ? undefined : chineseIn(bytes);
}

/** Returns a text of Chinese Windows; undefined for bytes that are not, or that are not Chinese if they are read so. */
export function chineseIn(bytes: Uint8Array): DecodedText | undefined {
  const encoding = chineseEncoding(bytes);
  const text = encoding && decodedAs(bytes, encoding);
  return encoding && text !== undefined && hasFrequentCharacters(text) ? { text, encoding } : undefined;
}

/** Returns the characters of a text that an encoding does not have, each once. */
export function missingIn(text: string, encoding: TextEncoding): string[] {
  if (encoding !== "gbk" && encoding !== "gb18030") return [];
  const missing = new Set<string>();
  for (const character of text) {
    if (bytesOf(character.codePointAt(0) as number, encoding) === undefined) missing.add(character);
  }
  return [...missing];
}

/** Returns the bytes of a text, with the byte order mark of UTF-16. Characters that the encoding does not have are lost. */
export function encodedAs(text: string, encoding: TextEncoding): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return encoder.encode(text);
  if (encoding === "utf-16le" || encoding === "utf-16be") return inUnits(text, encoding === "utf-16le");
  const bytes = new Uint8Array(text.length * 4);
  let length = 0;
  for (const character of text) {
    const value = bytesOf(character.codePointAt(0) as number, encoding) ?? 0;
    for (const shift of value > 0xffff ? [24, 16, 8, 0] : value > 0xff ? [8, 0] : [0]) {
      bytes[length++] = (value >>> shift) & 0xff;
    }
  }
  return bytes.slice(0, length);
}

function markedEncoding([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** A byte order mark of UTF-8 stays, so that unchanged files stay as they are. */
function decodedAs(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Other bytes, or an encoding that the runtime lacks.
    return undefined;
  }
}

function inUnits(text: string, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2 * text.length + 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, isLittle);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at + 2, text.charCodeAt(at), isLittle);
  return bytes;
}

/** The least share of the pairs that are punctuation or common characters: all but rare and traditional ones. */
const LEAST_COMMON = 0.6;
/** Some of the most frequent characters, and the least share that they have in a text. In most texts it is over 0.3. */
const FREQUENT = new Set(
  "的一是不了在人有我他她这個个們们中來来上大為为和國国地到以說说時时要就出會会可也你對对生能而子那得於于着下自之年過过後后里裡用道去沒没好小天心三十",
);
const LEAST_FREQUENT = 0.05;
/** The number of characters from which that share says something. */
const TELLING = 12;

/**
 * Returns the encoding of bytes that read as Chinese: bytes of most other encodings are valid, too, but as rare
 * characters. Only GB 18030 has characters of four bytes, which programs for GBK do not read.
 */
function chineseEncoding(bytes: Uint8Array): "gbk" | "gb18030" | undefined {
  let [pairs, punctuation, common, quads] = [0, 0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] as number;
    if (first < 0x80) continue;
    const second = bytes[at + 1] ?? 0;
    if (second >= 0x30 && second <= 0x39) {
      quads++;
      at += 3;
      continue;
    }
    at++;
    pairs++;
    if (second < 0xa1) continue;
    if (first >= 0xa1 && first <= 0xa3) punctuation++;
    if (first >= 0xb0 && first <= 0xd7) common++;
  }
  if (common === 0 || common + punctuation < LEAST_COMMON * pairs) return undefined;
  return quads ? "gb18030" : "gbk";
}

/** Returns false for a text of other characters than those of all Chinese texts, such as a Korean or Thai one read so. */
function hasFrequentCharacters(text: string): boolean {
  const characters = text.match(/\p{Script=Han}/gu) ?? [];
  const frequent = characters.filter((character) => FREQUENT.has(character)).length;
  return characters.length < TELLING || frequent >= LEAST_FREQUENT * characters.length;
}

/** The bytes of each character as a number, of those outside ASCII and in the first plane or in the pairs. */
let table: Map<number, number> | undefined;
/** The numbers of four bytes for the characters of the first plane, and that of the first one behind it. */
const FIRST_PLANE = 39_420;
const SECOND_PLANE = 189_000;

function bytesOf(code: number, encoding: "gbk" | "gb18030"): number | undefined {
  if (code < 0x80) return code;
  table ??= readTable();
  const bytes = table.get(code) ?? (code > 0xffff ? quad(SECOND_PLANE + code - 0x10000) : undefined);
  return bytes !== undefined && bytes > 0xffff && encoding === "gbk" ? undefined : bytes;
}

function readTable(): Map<number, number> {
  const pairs = [];
  for (let first = 0x81; first <= 0xfe; first++) {
    for (let second = 0x40; second <= 0xfe; second++) if (second !== 0x7f) pairs.push((first << 8) | second);
  }
  const quads = Array.from({ length: FIRST_PLANE }, (_, number) => quad(number));
  const sequences = [...pairs, ...quads];
  const found = new Map<number, number>();
  // What has two forms is written in the shorter one, and in the first of two as long.
  for (const [at, character] of charactersOf(sequences).entries()) {
    const code = character.codePointAt(0) as number;
    const isOne = character === String.fromCodePoint(code) && character !== "\ufffd";
    if (isOne && !found.has(code)) found.set(code, sequences[at] as number);
  }
  return found;
}

function quad(number: number): number {
  const [first, second] = [0x81 + Math.floor(number / 12_600), 0x30 + (Math.floor(number / 1260) % 10)];
  const [third, fourth] = [0x81 + (Math.floor(number / 10) % 126), 0x30 + (number % 10)];
  return first * 2 ** 24 + (second << 16) + (third << 8) + fourth;
}

/** Decodes sequences of two and four bytes, each to a text of its own. */
function charactersOf(sequences: readonly number[]): string[] {
  const bytes = sequences.flatMap((value) => [
    ...(value > 0xffff ? [Math.floor(value / 2 ** 24), (value >>> 16) & 0xff] : []),
    (value >>> 8) & 0xff,
    value & 0xff,
    LINE_FEED,
  ]);
  return new TextDecoder("gb18030").decode(new Uint8Array(bytes)).split("\n").slice(0, -1);
}
