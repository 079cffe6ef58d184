/** The texts of comments for users. */

export const comments = {
  ignored: (count: number) =>
    count === 1
      ? "A comment in this document cannot be shown. Its author may use a later version: reload the page, or ask them to write it again."
      : `${count} comments in this document cannot be shown. Their authors may use a later version: reload the page, or ask them to write them again.`,
  assistant: "Assistant",
};
