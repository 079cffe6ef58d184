/** Messages about the parts of a document that Markdown does not keep. */

export const markdown = {
  /** Nodes of a type, and the text of the first. */
  nodes: (count: number, type: string, text: string) =>
    `${count === 1 ? `one ${type}` : `${count} nodes of the type ${type}`}${text && `, first “${text}”`}`,
  attribute: (name: string, nodes: string) => `Markdown has no form for ${name} of ${nodes}.`,
  mark: (name: string, nodes: string) => `Markdown does not keep ${name} in ${nodes}.`,
  emptyParagraphs: (count: number) => `Markdown has no empty paragraphs: ${count} will be missing.`,
  content: (nodes: string) => `Markdown does not keep the form of ${nodes}.`,
  url: (url: string) => `A file cannot have this URL: ${url}`,
};
