/** The recorded runs of the demo model: a prompt, the state of the page that it fits, and the answers of a model. */
import { fits, type Fit, type Situation } from "./fits";

/** A call as a recorded model made it. Texts may have the placeholders that `player.ts` fills. */
export interface RecordedCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** One answer of a recorded model. */
export interface Turn {
  text?: string;
  calls?: RecordedCall[];
}

export interface Run {
  id: string;
  /** The prompts that it answers; none if it is the run of a menu item. */
  prompts?: string[];
  /** The id of the menu item that it answers. */
  action?: string;
  /** True if the prompt is suggested where the run fits. */
  suggested?: boolean;
  fits: Fit;
  /** The answers in their order; only the last one has no calls. */
  turns: Turn[];
}

export type Language = "en" | "zh";

/** The tables that are loaded. */
const tables = new Map<Language, Run[]>();

/** Loads the runs in a language. */
export async function loadRuns(language: Language): Promise<void> {
  if (tables.has(language)) return;
  const file = language === "zh" ? import("./runs/zh.json") : import("./runs/en.json");
  tables.set(language, (await file).default as Run[]);
}

/** Returns the language in which a text is answered. */
export const languageOf = (text: string): Language => (/\p{Script=Han}/u.test(text) ? "zh" : "en");

/** Returns the runs that are loaded. */
const allRuns = (): Run[] => [...tables.values()].flat();

export function runWithId(id: string): Run | undefined {
  return allRuns().find((run) => run.id === id);
}

/** Returns a prompt without what people write in different ways: case, spaces and punctuation. */
export function normalized(prompt: string): string {
  return prompt
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{Z}\s]+/gu, "");
}

/** Returns the run that answers a prompt in a situation, if one was recorded. */
export async function runFor(prompt: string, situation: Situation): Promise<Run | undefined> {
  const wanted = normalized(prompt);
  for (const run of allRuns()) {
    const isMeant = run.prompts?.some((each) => normalized(each) === wanted) ?? situation.action === run.action;
    if (isMeant && (await fits(run.fits, situation, runWithId))) return run;
  }
  return undefined;
}

/** Returns the prompts in a language that are suggested in a situation. */
export async function suggestedPrompts(language: Language, situation: Situation): Promise<string[]> {
  const found: string[] = [];
  for (const { suggested, prompts, fits: fit } of tables.get(language) ?? [])
    if (suggested && (await fits(fit, situation, runWithId))) found.push(prompts![0]!);
  return found;
}

/** Returns the ids of the menu items that have a run for a selected text. */
export function actionsFor(selection: string): Set<string> {
  return new Set(allRuns().flatMap((run) => (run.action && run.fits.selection === selection.trim() ? run.action : [])));
}
