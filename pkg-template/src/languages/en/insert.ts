/** The reasons why a file cannot be inserted or opened. */

/** Makes a text of the details of a failure. */
type Text = (details: Record<string, unknown>) => string;

export const insert = {
  errors: {
    not_an_image: ({ name }) => `“${name}” is not an image.`,
    image_too_large: ({ name, limit }) => `“${name}” is larger than ${Number(limit) / 1e6} MB. Make it smaller first.`,
    image_not_kept: () => "This browser cannot keep images for this page. Use an image from the web.",
    unsupported_file: ({ name }) =>
      `“${name}” is not an image, and not a text that can be opened: Markdown (.md), HTML (.html) or plain text (.txt).`,
    file_too_large: ({ name, limit }) => `“${name}” is larger than ${Number(limit) / 1e6} MB.`,
    not_text: ({ name }) => `“${name}” is not a text, or in an encoding that is not known. Save it as UTF-8.`,
  } satisfies Record<string, Text>,
};
