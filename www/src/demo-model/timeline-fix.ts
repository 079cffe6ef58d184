/** Corrects single faults of a timeline by what the check reports. */

/** A finding as the check returns it to the model. */
export interface Finding {
  file: string;
  line: number;
  text: string;
  message: string;
  code: string;
  details: Record<string, unknown>;
  waived?: boolean;
}

/** A replacement of a text by another one. */
export interface Fix {
  old: string;
  new: string;
  /** The part that changes. */
  from: string;
  to: string;
}

/** Characters around a change that make its text unique in the file. */
const AROUND = 24;

/** Returns the smallest correction of a fault; null if there is no rule for it. `all` are the findings of its check. */
export function fixOf({ code, text, details }: Finding, all: readonly Finding[]): Fix | null {
  switch (code) {
    case "day_jump":
    case "day_back": {
      const day = Number(details.to);
      // After a look back that the writer accepted, the story goes on from the day that it left.
      const lookBack = all.find((each) => each.waived && each.code === "day_back" && each.details.to === details.from);
      const before = Number((lookBack ?? { details }).details.from);
      const found = daysIn(text).find((mention) => mention.day === day);
      return found ? fix(text, found.index, found.text, found.write(before + 1)) : null;
    }
    case "time_order":
      return fixMark(text, `[TIME:${String(details.to)}]`, String(details.from));
    case "time_format":
    case "time_impossible": {
      const mark = String(details.mark ?? "");
      return fixMark(text, mark, dateOf(mark.replace(/^\[TIME:\s*|\s*\]$/g, "")));
    }
    default:
      return null;
  }
}

function fixMark(text: string, mark: string, date: string | null): Fix | null {
  const index = text.indexOf(mark);
  return date === null || index < 0 ? null : fix(text, index, mark, `[TIME:${date}]`);
}

function fix(text: string, index: number, from: string, to: string): Fix {
  const start = Math.max(0, index - AROUND);
  const end = Math.min(text.length, index + from.length + AROUND);
  const [before, after] = [text.slice(start, index), text.slice(index + from.length, end)];
  return { old: before + from + after, new: before + to + after, from, to };
}

/** A day in a text, and the function that writes another one in the same way. */
interface DayMention {
  day: number;
  index: number;
  text: string;
  write: (day: number) => string;
}

/** Returns the days that a text mentions: Day 3, 第3天, 第三天. */
export function daysIn(text: string): DayMention[] {
  const pattern = /(\bday\s+)(\d+)|(第\s*)([\d０-９〇零一二两三四五六七八九十百千]+)(\s*天)/gi;
  return [...text.matchAll(pattern)].map((found) => {
    const [all, english, arabic, ordinal, numeral, unit] = found;
    const written = arabic ?? numeral ?? "";
    const digits = written.replace(/[０-９]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
    const isArabic = /^\d+$/.test(digits);
    return {
      day: isArabic ? Number(digits) : chineseNumber(digits),
      index: found.index,
      text: all,
      write: (day) =>
        english !== undefined ? `${english}${day}` : `${ordinal}${isArabic ? day : chineseNumeral(day)}${unit}`,
    };
  });
}

/** Returns a date in the form 2024-01-15. A day after the end of its month becomes the last one. */
function dateOf(written: string): string | null {
  const numbers = /^(\d{4})\D+(\d{1,2})\D+(\d{1,2})\D*$/.exec(written);
  if (numbers) {
    const [year, month, day] = numbers.slice(1).map(Number) as [number, number, number];
    if (month < 1 || month > 12 || day < 1) return null;
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
    return iso(year, month, Math.min(day, last));
  }
  const named = new Date(`${written} UTC`);
  if (Number.isNaN(named.getTime())) return null;
  return iso(named.getUTCFullYear(), named.getUTCMonth() + 1, named.getUTCDate());
}

function iso(year: number, month: number, day: number): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}

const DIGITS = "零一二三四五六七八九";
const UNITS = ["", "十", "百", "千"];

function chineseNumber(text: string): number {
  let [sum, digit] = [0, 0];
  for (const character of text.replace(/〇/g, "零").replace(/两/g, "二")) {
    const unit = UNITS.indexOf(character);
    if (unit > 0) {
      sum += (digit || 1) * 10 ** unit;
      digit = 0;
    } else digit = digit * 10 + DIGITS.indexOf(character);
  }
  return sum + digit;
}

/** Writes a number below 10,000 in Chinese: 十, 二十三, 一百零五. */
function chineseNumeral(number: number): string {
  const digits = [...String(number)].map(Number);
  let out = "";
  digits.forEach((digit, at) => {
    if (digit) out += DIGITS[digit]! + UNITS[digits.length - 1 - at]!;
    else if (out && !out.endsWith("零")) out += "零";
  });
  return out.replace(/零$/, "").replace(/^一十/, "十") || "零";
}
