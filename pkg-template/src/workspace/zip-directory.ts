/**
 * The directory at the end of a zip file (APPNOTE 6.3.10, sections 4.3.12 to 4.3.16). A file without it is not whole, and
 * its checksums tell damaged entries.
 */

export interface DirectoryEntry {
  /** The name, one character for each byte unless the zip says that it is UTF-8. */
  name: string;
  crc: number;
}

const END = 0x06054b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const LOCATOR = 0x07064b50;
const LOCATOR_LENGTH = 20;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const UTF_8 = 0x800;

/** Returns the entries of the directory; undefined if there is none, as in a file whose end is missing. */
export async function directoryOf(blob: Blob): Promise<DirectoryEntry[] | undefined> {
  const range = await rangeOf(blob);
  if (!range || range.from < 0 || range.to > blob.size || range.from > range.to) return undefined;
  const view = await viewOf(blob, range.from, range.to);
  const entries: DirectoryEntry[] = [];
  for (let at = 0; at < view.byteLength;) {
    if (at + ENTRY_LENGTH > view.byteLength || view.getUint32(at, true) !== ENTRY) return undefined;
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true)) as [
      number,
      number,
      number,
    ];
    if (at + ENTRY_LENGTH + name > view.byteLength) return undefined;
    const bytes = new Uint8Array(view.buffer, at + ENTRY_LENGTH, name);
    const isUTF8 = (view.getUint16(at + 8, true) & UTF_8) !== 0;
    entries.push({
      name: isUTF8 ? new TextDecoder().decode(bytes) : latin1(bytes),
      crc: view.getUint32(at + 16, true),
    });
    at += ENTRY_LENGTH + name + extra + comment;
  }
  return entries;
}

/** Returns where the directory is. */
async function rangeOf(blob: Blob): Promise<{ from: number; to: number } | undefined> {
  const start = Math.max(0, blob.size - END_LENGTH - LONGEST_COMMENT - LOCATOR_LENGTH);
  const view = await viewOf(blob, start, blob.size);
  let end = view.byteLength - END_LENGTH;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) return undefined;
  const from = view.getUint32(end + 16, true);
  if (from !== 0xffffffff) return { from, to: from + view.getUint32(end + 12, true) };
  // Beyond 4 GB or 65,535 files.
  const locator = end - LOCATOR_LENGTH;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR) return undefined;
  const record = Number(view.getBigUint64(locator + 8, true));
  if (record + 56 > blob.size) return undefined;
  const end64 = await viewOf(blob, record, record + 56);
  if (end64.getUint32(0, true) !== END_64) return undefined;
  const from64 = Number(end64.getBigUint64(48, true));
  return { from: from64, to: from64 + Number(end64.getBigUint64(40, true)) };
}

async function viewOf(blob: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await blob.slice(from, to).arrayBuffer());
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** Returns the checksum of bytes that follow those with the checksum `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
