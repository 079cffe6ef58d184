/** The texts of suggestions. */

export const suggestions = {
  agentOf: (name: string) => (name ? `Assistant of ${name}` : "Assistant"),
  notPermitted: (count: number) =>
    count === 1
      ? "You may not decide this suggestion. Ask its author or an editor of the document to decide it."
      : `You may not decide these ${count} suggestions. Ask their authors or an editor of the document to decide them.`,
  ignored: (count: number) =>
    count === 1
      ? "A suggestion in this document cannot be shown. Its author may use a later version: reload the page, or ask them to suggest it again."
      : `${count} suggestions in this document cannot be shown. Their authors may use a later version: reload the page, or ask them to suggest them again.`,
};
