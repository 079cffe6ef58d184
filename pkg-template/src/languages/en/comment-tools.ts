/** Texts about comments for a model. */

export const commentTools = {
  tools: {
    list_comments:
      "Lists the comments of people and agents on the document, with their lines. Call it before you address comments.",
    add_comment: "Adds a comment on a text of the document. It does not change the document.",
    reply_to_comment:
      "Replies to a comment. If you change the document because of the comment, make the edit first, then reply: the user accepts or rejects both together.",
    resolve_comment:
      "Resolves a comment that has been dealt with, after the edit. `text` is a reply that says what was done.",
  },
  readLines:
    "Returns lines of the document with their numbers, and the comments on them. You cannot change the document.",
  startLine: "The first line, counted from 1",
  endLine: "The last line, included",
  includeResolved: "True to list resolved comments as well",
  line: "The line of the text, counted from 1",
  quote: "The words of this line that the comment is about. Default: the whole line",
  text: "The comment, as plain text",
  closing: "A reply, as plain text",
  id: "The id of the comment, from list_comments",
  comments: "Comments on these lines:",
  pending: "It is shown when the user accepts your changes, and withdrawn when they are rejected.",
  lost: "The text of these comments is deleted by this edit. Say so in a reply, or restore the text if it was not meant.",
  noThread: (id: string, ids: readonly string[]) =>
    `There is no comment ${id}. ${ids.length ? `The comments are ${ids.join(", ")}.` : "The document has no comments."}`,
  noLine: (line: number, lines: number) => `There is no line ${line}. The document has ${lines} lines.`,
  noQuote: (quote: string, line: number, text: string) =>
    `“${quote}” was not found in line ${line}, which is “${text}”. Quote words of the line exactly.`,
  emptyLine: (line: number) => `Line ${line} is empty. Comment on a line with text.`,
  proposed: "This text is only proposed. Comment on text of the document, or after the change was accepted.",
};
