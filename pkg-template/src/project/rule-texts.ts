/** The files of a place whose texts are rules (docs/agent.md#rules), and the user's consent to those of a folder. */

import type { RuleFile } from "../additions/rule-file.js";
import type { Items } from "../base/items.js";
import type { Workspace } from "../types/workspace.js";
import { isRuleFile, RULE_FILE } from "../workspace/instructions.js";
import { RuleConsent, type RuleText } from "./rule-consent.js";

/** The most files that the agent reads. */
const MOST_FILES = 100;

export class RuleTexts {
  /** Null for the user's own files, which need no consent. */
  private consent: RuleConsent | null;
  private reading = 0;
  private isClosed = false;
  private ends: (() => void)[] = [];

  /** `listener` gets the files in the order of the agent: now, and after each change. `folder` identifies a folder. */
  constructor(
    private workspace: Workspace,
    folder: string | null,
    private listener: (files: RuleFile[]) => void,
    items: Items,
  ) {
    this.consent = folder === null ? null : new RuleConsent(folder, items);
    if (this.consent) this.ends.push(this.consent.watch(() => this.look()));
    this.ends.push(
      workspace.watch(({ path, from }) => {
        if (isRuleFile(path) || (from !== undefined && isRuleFile(from))) this.look();
      }),
    );
    this.look();
  }

  /** Returns true for the texts that the agent may follow; undefined if it may follow all. */
  get accepts(): ((file: RuleText) => Promise<boolean>) | undefined {
    const { consent } = this;
    if (!consent) return undefined;
    return async (file) => {
      const isUsed = await consent.of(file);
      // The agent may read a change before the place has noticed it.
      if (isUsed === undefined) this.look();
      return isUsed ?? false;
    };
  }

  /** Stores the user's decision about files with the texts that were shown. */
  async decide(files: readonly RuleText[], isUsed: boolean): Promise<void> {
    for (const file of files) await this.consent?.decide(file, isUsed);
    this.look();
  }

  /** The user continues writing a file: the decision about the text before counts for the text after. */
  async typed(path: string, before: string, after: string): Promise<void> {
    if (!this.consent || !isRuleFile(path)) return;
    const isUsed = before.trim() ? await this.consent.of({ path, text: before }) : true;
    if (isUsed !== undefined) await this.consent.decide({ path, text: after }, isUsed);
  }

  /** Reads the files again. */
  look(): void {
    // A file that was removed meanwhile is reported by the next change.
    this.read().catch((error: unknown) => console.warn(error));
  }

  close(): void {
    this.isClosed = true;
    for (const end of this.ends) end();
  }

  private async read(): Promise<void> {
    const turn = ++this.reading;
    const paths = (await this.workspace.list()).map(({ path }) => path).filter(isRuleFile);
    paths.sort((a, b) => Number(b === RULE_FILE) - Number(a === RULE_FILE) || (a < b ? -1 : 1));
    const read = paths.slice(0, MOST_FILES).map(async (path): Promise<RuleFile> => {
      const { text } = await this.workspace.read(path);
      const isUsed = await this.consent?.of({ path, text });
      const consent = isUsed === undefined ? "asked" : isUsed ? "given" : "refused";
      return { path, text, ...(this.consent && { consent }) };
    });
    const files = (await Promise.all(read)).filter(({ text }) => text.trim());
    if (turn === this.reading && !this.isClosed) this.listener(files);
  }
}
