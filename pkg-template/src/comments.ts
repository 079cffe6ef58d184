/** Comments about ranges of a document, which agents read, write and resolve. */

export type { CommentCarrier, StoredComments } from "./comments/carrier.js";
export { Comments, type CommentsOptions, type CommentsStorage } from "./comments/extension.js";
export type { ThreadMark } from "./comments/marked-threads.js";
export {
  blockNoteComments,
  tiptapComments,
  type BlockNoteCommentsOptions,
  type BlockNoteThreadStore,
  type TiptapCommentsOptions,
  type TiptapThreadProvider,
} from "./comments/other-stores.js";
export type { Comment, CommentStore, CommentThread, NewComment } from "./comments/store.js";
export type { IgnoredComment, IgnoredCommentReason } from "./comments/stored.js";
export { commentOnly, commentTools, withComments, type CommentToolsOptions } from "./comments/tools.js";
