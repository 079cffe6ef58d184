/** Ready instructions, as data: a product can list, translate, leave out and add them. */

import { readyTexts, textIn, textsWith, type ReadyId, type Texts } from "./words.js";

/** An instruction with a name. */
export interface AgentAction {
  /** Unique among the actions of a menu. */
  id: string;
  /** The name in menus. */
  label: Texts;
  /** The text for the model; empty if there are `choices`. */
  instruction: Texts;
  /** `selection`: it works on selected text. `cursor`: it writes at the cursor. */
  target: "selection" | "cursor";
  /** Other words by which the slash menu finds it, in any language. */
  keywords?: readonly string[];
  /** Variants to choose from, such as languages. */
  choices?: readonly AgentAction[];
}

/** Returns an action that translates the selected text into a language, given by its name in English and Chinese. */
export function translateTo(id: string, language: Texts): AgentAction {
  const instruction = textsWith(language, (words, name) => words.translateTo(name));
  return { id, label: language, instruction, target: "selection" };
}

/** Returns an action that changes the tone of the selected text; the tone is an adjective. */
export function changeTone(id: string, tone: Texts): AgentAction {
  const instruction = textsWith(tone, (words, name) => words.changeTone(name));
  return { id, label: tone, instruction, target: "selection" };
}

/** Returns the action of this id, with its texts from the catalogs. */
function ready(
  id: ReadyId,
  target: AgentAction["target"],
  more: Pick<AgentAction, "keywords" | "choices"> = {},
): AgentAction {
  return { id, label: readyTexts(id, "label"), instruction: readyTexts(id, "instruction"), target, ...more };
}

const choices = (ids: readonly ReadyId[]) => ({ choices: ids.map((id) => ready(id, "selection")) });

/** The ready actions, in the order of the menus. */
export const agentActions: readonly AgentAction[] = [
  ready("improve", "selection"),
  ready("shorten", "selection"),
  ready("expand", "selection"),
  ready("fix", "selection"),
  ready(
    "translate",
    "selection",
    choices(["translate-en", "translate-zh", "translate-es", "translate-fr", "translate-de", "translate-ja"]),
  ),
  ready("tone", "selection", choices(["tone-formal", "tone-friendly", "tone-plain", "tone-confident"])),
  ready("summarize", "selection"),
  ready("continue", "cursor", { keywords: ["write", "next", "go on", "xuxie", "xx"] }),
  ready("outline", "cursor", { keywords: ["plan", "list", "dagang", "dg"] }),
  ready("summarize-document", "cursor", { keywords: ["summary", "tldr", "zongjie", "zj"] }),
];

/** Returns what `askAgent` takes for an action; `locale` is a language tag, by default the page's. */
export function askOf(
  action: AgentAction,
  locale?: string,
): { instruction: string; label: string; needsSelection: boolean } {
  const { label, instruction, target } = action;
  return {
    instruction: textIn(instruction, "instruction", action.id, locale),
    label: textIn(label, "label", action.id, locale),
    needsSelection: target === "selection",
  };
}
