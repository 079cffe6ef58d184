/** The sentence of a failure, in each language that the page is shown in. */
import { CopydeskError } from "copydesk";
import type { FileError } from "copydesk/insert";
import { locale, type Locale, type Messages } from "../locale";

/** The language of the messages of errors: that of the page when they were told first. */
const languages = new WeakMap<object, Locale>();

/** Returns the message of an error, and in the other language the reason that its code has. */
export function errorText(error: unknown): (m: Messages) => string {
  const written = (error instanceof Error && languages.get(error)) || locale();
  if (error instanceof Error) languages.set(error, written);
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof CopydeskError ? error.code : "";
  const { texts } = (error ?? {}) as Partial<FileError>;
  return (m) => texts?.[m.lang] ?? (m.lang === written ? message : (m.files.reasons[code] ?? message));
}
