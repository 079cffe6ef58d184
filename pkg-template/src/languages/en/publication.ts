/** The texts of exported files beside the text of the user. */

export const publication = {
  assistant: "Assistant",
  chapter: (number: number) => `Chapter ${number}`,
  untitled: "Untitled",
};
