/** Messages about attachments of a user. */

export const attachmentSentences = {
  /** The text before the attachments, for the model. */
  note: "The user has attached to the next message:",
  /** The problems of an attachment. `{}` is its name. */
  problems: {
    attachment_too_large: "“{}” is too large to be attached. Attach a part of it.",
    attachment_too_many: "“{}” was not attached: a message has 20 attachments at most. Remove one first.",
    attachment_not_supported: "“{}” is of a kind that cannot be read here. Attach its text instead.",
    attachment_unreadable: "“{}” could not be read: it may be damaged. Attach another copy of it.",
    attachment_empty: "“{}” has no text. Attach a picture of it instead.",
    attachment_missing: "“{}” is no longer there. Choose it again.",
  },
};
