/** Words of the actions and blocks. */

/** The name of an action or a block, and the text of an action for the model. */
export interface ReadyWords {
  readonly label: string;
  readonly instruction?: string;
}

/** The words of all ready actions and blocks, by their ids. */
export type ReadyTable = Readonly<Record<keyof typeof ready, ReadyWords>>;

export const actions = {
  menu: "Assistant",
  ask: "Ask…",
  askLabel: "Ask the assistant about the selection",
  askHere: "Ask the assistant to write here",
  placeholder: "What should change?",
  placeholderHere: "What should be written?",
  send: "Send",
  back: "Back",
  slash: "Let the assistant write",
  slashOrInsert: "Let the assistant write, or insert",
  askFor: (text: string) => `Ask: ${text}`,
  found: (count: number) => (count === 1 ? "1 action" : `${count} actions`),
  working: (label: string) => `${label}: the assistant is working`,
  stop: "Stop",
  close: "Close",
  done: (changes: number) => (changes === 1 ? "Done: 1 edit" : `Done: ${changes} edits`),
  unchanged: "The assistant changed nothing",
  stopped: "Stopped",
  loading: "The assistant is still loading. Try again in a moment.",
  no_agent: "There is no assistant for this document.",
  busy: "The assistant is already working. Wait for it, or stop it.",
  read_only: "This document cannot be edited.",
  nothing_selected: "Select some text first.",
  editor_destroyed: "The editor was closed.",
  about: (label: string, excerpt: string) => `${label}: “${excerpt}”`,
  translateTo: (language: string) =>
    `Translate the selected text into ${language}. Keep its formatting, links, names and numbers.`,
  changeTone: (tone: string) =>
    `Rewrite the selected text in a ${tone.toLowerCase()} tone. Keep its meaning, language, formatting and links.`,
};

const translation = (language: string) => ({ label: language, instruction: actions.translateTo(language) });
const tone = (name: string) => ({ label: name, instruction: actions.changeTone(name) });

/** The ready actions and blocks, by their ids. */
export const ready = {
  improve: {
    label: "Improve",
    instruction:
      "Improve the selected text: clearer, more fluent, without repetition. Keep its meaning, language, length, formatting and links.",
  },
  shorten: {
    label: "Shorten",
    instruction: "Shorten the selected text to about half. Keep what matters, its language, formatting and links.",
  },
  expand: {
    label: "Expand",
    instruction:
      "Expand the selected text with details and examples, to about twice its length. Keep its language and style. Add no facts that you are not sure of.",
  },
  fix: {
    label: "Fix spelling and grammar",
    instruction: "Correct spelling, grammar and punctuation of the selected text. Change nothing else.",
  },
  translate: { label: "Translate" },
  "translate-en": translation("English"),
  "translate-zh": translation("Chinese"),
  "translate-es": translation("Spanish"),
  "translate-fr": translation("French"),
  "translate-de": translation("German"),
  "translate-ja": translation("Japanese"),
  tone: { label: "Change tone" },
  "tone-formal": tone("Formal"),
  "tone-friendly": tone("Friendly"),
  "tone-plain": tone("Plain"),
  "tone-confident": tone("Confident"),
  summarize: {
    label: "Summarize",
    instruction: "Replace the selected text with a summary of it in two or three sentences, in its language.",
  },
  continue: {
    label: "Continue writing",
    instruction:
      "Continue writing at the cursor: one paragraph that follows from the text before it, in the same language and style. Do not repeat that text.",
  },
  outline: {
    label: "Write an outline",
    instruction:
      "Write an outline at the cursor for what this document should still say, as a list, in the language of the document.",
  },
  "summarize-document": {
    label: "Summarize the document",
    instruction:
      "Write a summary of the whole document at the cursor, in three to five sentences, in the language of the document.",
  },
  "heading-1": { label: "Title" },
  "heading-2": { label: "Section" },
  "heading-3": { label: "Subheading" },
  bulletList: { label: "Bulleted list" },
  orderedList: { label: "Numbered list" },
  taskList: { label: "Task list" },
  blockquote: { label: "Quote" },
  codeBlock: { label: "Code block" },
  horizontalRule: { label: "Divider" },
  table: { label: "Table" },
} satisfies Record<string, ReadyWords>;
