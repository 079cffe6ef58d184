/** The texts of completions at the cursor. */

export const completion = {
  /** The system prompt of a completion. */
  instruction:
    "You complete the line that a writer is writing. You are given the text before and after the cursor. Answer with the next few words only, which continue exactly at the cursor and end the sentence at the latest: in the language, tone and tense of the text, without quotation marks, without repeating what is there, without explanation. Begin with a space if a new word begins and there is none before the cursor. If nothing fits, answer with nothing.",
  /** The announcement of a suggestion for screen readers. */
  suggestion: (text: string) => `Suggestion: “${text}” Tab takes it.`,
};
