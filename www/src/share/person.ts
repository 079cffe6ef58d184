/** The person at this window, as the others of a room see them. Two windows of a browser are two persons. */
import type { Author } from "copydesk";
import { loadForVisit, loadItem, saveForVisit, saveItem } from "../storage";
import { messages } from "../locale";

/** Colors with enough contrast on paper, light and dark. */
const COLORS = ["#3f6fd8", "#b0661a", "#2f8a57", "#a3509a", "#b8453a", "#2a8494"];

export interface Person extends Omit<Author, "kind"> {
  id: string;
}

export function person(): Person {
  const id = loadForVisit("person") ?? crypto.randomUUID();
  saveForVisit("person", id);
  const name = loadForVisit("name") ?? loadItem("name") ?? messages().share.guest;
  return { id, name, color: COLORS[parseInt(id.slice(0, 6), 16) % COLORS.length]! };
}

/** Keeps the name for this visit, and as the first one of later visits. */
export function setName(name: string): void {
  saveForVisit("name", name);
  saveItem("name", name);
}
