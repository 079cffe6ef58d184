/** The sentence of a failure, in each language that the page is shown in. */
import { CopydeskError } from "copydesk";
import { locale, type Messages } from "../locale";

/** Returns the message of an error, and in the other language the reason that its code has. */
export function errorText(error: unknown): (m: Messages) => string {
  const written = locale();
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof CopydeskError ? error.code : "";
  return (m) => (m.lang === written ? message : (m.files.reasons[code] ?? message));
}
