/** The user's decisions about the rules in folders: by folder, path and text, saved across visits. */

import type { Items } from "../base/items.js";

const ITEM = "rule-consent";
/** The most decisions that are kept for one path. */
const MOST = 50;

/** A file whose text is a rule. */
export interface RuleText {
  path: string;
  text: string;
}

type Fields = Record<string, unknown>;

export class RuleConsent {
  /** The decisions of this page, where nothing can be saved. */
  private unsaved = new Map<string, boolean>();

  /** `folder` identifies the folder. */
  constructor(
    private folder: string,
    private items: Items,
  ) {}

  /** Returns true if the rule is to be followed, false if it is not, and undefined if the user was not asked. */
  async of({ path, text }: RuleText): Promise<boolean | undefined> {
    const digest = await digestOf(text);
    const saved = this.decisions()[path]?.[digest];
    return this.unsaved.get(`${path} ${digest}`) ?? saved;
  }

  /** Stores the decision about a text. */
  async decide({ path, text }: RuleText, isUsed: boolean): Promise<void> {
    const digest = await digestOf(text);
    const decisions = this.decisions();
    const { [digest]: _, ...others } = decisions[path] ?? {};
    const ofPath = Object.fromEntries([...Object.entries(others), [digest, isUsed]].slice(-MOST));
    const all = { ...objectIn(this.items), [this.folder]: { ...decisions, [path]: ofPath } };
    const key = `${path} ${digest}`;
    if (this.items.set(ITEM, JSON.stringify(all))) this.unsaved.delete(key);
    else this.unsaved.set(key, isUsed);
  }

  /** Calls `listener` when the user has decided in another tab. Returns a function that unsubscribes it. */
  watch(listener: () => void): () => void {
    const heard = ({ key }: StorageEvent) => {
      if (key === null || key.endsWith(ITEM)) listener();
    };
    addEventListener("storage", heard);
    return () => removeEventListener("storage", heard);
  }

  /** Returns the decisions by path and digest, the oldest first. Of what others wrote there, only the right form. */
  private decisions(): Record<string, Record<string, boolean>> {
    const paths = Object.entries(fieldsOf(new Map(Object.entries(objectIn(this.items))).get(this.folder)));
    return Object.fromEntries(
      paths.map(([path, given]) => {
        const isDecision = (entry: [string, unknown]): entry is [string, boolean] => typeof entry[1] === "boolean";
        return [path, Object.fromEntries(Object.entries(fieldsOf(given)).filter(isDecision))];
      }),
    );
  }
}

function objectIn(items: Items): Fields {
  try {
    return fieldsOf(JSON.parse(items.get(ITEM) ?? "null"));
  } catch {
    // Unreadable data is not a consent; the next decision replaces it.
    return {};
  }
}

function fieldsOf(value: unknown): Fields {
  return value && typeof value === "object" && !Array.isArray(value) ? (value as Fields) : {};
}

/** Returns the SHA-256 in hexadecimal digits. Folders can be opened in secure contexts only, which have it. */
async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
