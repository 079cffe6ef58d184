/** The threads of BlockNote and of TipTap's comments, for the tools of agents. */

import type { Editor } from "@tiptap/core";
import { check, members } from "../base/error.js";
import { readAuthor } from "../suggestions/entry.js";
import type { Author } from "../types/index.js";
import {
  MarkedThreads,
  memberOf,
  plainTextOf,
  shortened,
  storedAuthor,
  timeOf,
  type ThreadMark,
} from "./marked-threads.js";
import type { CommentStore } from "./store.js";

/** The used part of BlockNote's `ThreadStore`. */
export interface BlockNoteThreadStore {
  createThread(options: { initialComment: { body: any; metadata?: any }; metadata?: any }): Promise<{ id: string }>;
  addComment(options: { threadId: string; comment: { body: any; metadata?: any } }): Promise<unknown>;
  resolveThread(options: { threadId: string }): Promise<void>;
  unresolveThread(options: { threadId: string }): Promise<void>;
  getThreads(): Map<string, any>;
  subscribe(changed: (threads: Map<string, any>) => void): () => void;
}

export interface BlockNoteCommentsOptions {
  /** The editor with the marks of the threads. */
  editor: Editor;
  /** The store of the person at this editor. */
  threads: BlockNoteThreadStore;
  /** The store with which comments of agents are written: its user is their author. Default: that of the person. */
  agentThreads?: BlockNoteThreadStore;
  /** Returns the name of a user. Default: the id. */
  nameOf?: (userId: string) => string | undefined;
  /** The mark of the threads. Default: that of BlockNote. */
  mark?: ThreadMark;
}

/** The used part of `TiptapCollabProvider`. */
export interface TiptapThreadProvider {
  getThreads(): any[];
  createThread(data: any): { id: string };
  addComment(threadId: string, data: any): unknown;
  updateThread(threadId: string, data: any): unknown;
  watchThreads(changed: () => void): unknown;
  unwatchThreads(changed: () => void): unknown;
}

export interface TiptapCommentsOptions {
  /** The editor with the marks of the threads. */
  editor: Editor;
  provider: TiptapThreadProvider;
  /** The person at this editor. */
  user: Omit<Author, "kind">;
  /** Returns the author of a comment by the data that the app has stored with it. Default: its `userName`. */
  authorOf?: (data: any) => Omit<Author, "kind"> | undefined;
  /** The mark of the threads. Default: that of TipTap's comments. */
  mark?: ThreadMark;
}

/** Returns the threads of a BlockNote `ThreadStore`, for the option `comments` of the tools. */
export function blockNoteComments(options: BlockNoteCommentsOptions): CommentStore {
  const { editor, threads, agentThreads, nameOf, mark } = members(options, "options");
  check(typeof threads?.createThread === "function", "threads", threads, "a ThreadStore");
  const storeOf = (author: Author | undefined) => (author?.kind === "agent" && agentThreads) || threads;
  const personOf = (id: unknown): Author => ({
    kind: "person",
    name: "",
    ...readAuthor(typeof id === "string" ? { id, name: nameOf?.(id) ?? id } : {}),
  });
  const comment = (text: string, author: Author | undefined) => ({
    body: text
      .split("\n")
      .map((line) => ({ type: "paragraph", content: line ? [{ type: "text", text: line, styles: {} }] : [] })),
    ...(author && { metadata: { copydesk: author } }),
  });
  return new MarkedThreads(
    editor,
    {
      threads: () =>
        [...threads.getThreads().values()]
          .filter(({ deletedAt }) => !deletedAt)
          .map((thread) => ({
            id: String(thread.id),
            state: thread.resolved ? "resolved" : "open",
            ...(thread.resolved && { resolvedBy: personOf(thread.resolvedBy) }),
            quote: memberOf(thread.metadata, "quote"),
            comments: (thread.comments as any[])
              .filter(({ deletedAt }) => !deletedAt)
              .map(({ id, userId, createdAt, metadata, body }) => ({
                id: String(id),
                author: storedAuthor(metadata) ?? personOf(userId),
                time: timeOf(createdAt),
                text: shortened(plainTextOf(body)),
              })),
          })),
      create: async ({ text, author, quote }) => {
        const initialComment = comment(text, author);
        return (await storeOf(author).createThread({ initialComment, metadata: { quote } })).id;
      },
      reply: (threadId, { text, author }) => storeOf(author).addComment({ threadId, comment: comment(text, author) }),
      setState: (threadId, state, by) =>
        state === "resolved" ? storeOf(by).resolveThread({ threadId }) : storeOf(by).unresolveThread({ threadId }),
      observe: (changed) => threads.subscribe(changed),
    },
    mark ?? { name: "comment", attribute: "threadId" },
  );
}

/** Returns the threads of TipTap's comments, for the option `comments` of the tools. */
export function tiptapComments(options: TiptapCommentsOptions): CommentStore {
  const { editor, provider, user, authorOf, mark } = members(options, "options");
  check(typeof provider?.createThread === "function", "provider", provider, "a TiptapCollabProvider");
  check(typeof user?.name === "string", "user", user, "an object with a name");
  const person = readAuthor({ ...user, kind: "person" })!;
  const byData = (data: unknown): Author => {
    const given = authorOf ? authorOf(data) : { name: memberOf(data, "userName") };
    return { ...(readAuthor(given) ?? { name: "" }), kind: "person" };
  };
  const comment = (text: string, author: Author) => ({
    content: text,
    data: { userName: author.name, copydesk: author },
  });
  return new MarkedThreads(
    editor,
    {
      threads: () =>
        provider.getThreads().map((thread) => ({
          id: String(thread.id),
          state: thread.resolvedAt ? "resolved" : "open",
          quote: memberOf(thread.data, "quote"),
          comments: ((thread.comments ?? []) as any[]).map(({ id, createdAt, data, content }) => ({
            id: String(id),
            author: storedAuthor(data) ?? byData(data),
            time: timeOf(createdAt),
            text: shortened(plainTextOf(content)),
          })),
        })),
      create: ({ text, author, quote }) => {
        const { id } = provider.createThread({ data: { quote } });
        provider.addComment(id, comment(text, author ?? person));
        return id;
      },
      reply: (thread, { text, author }) => provider.addComment(thread, comment(text, author ?? person)),
      setState: (thread, state) =>
        provider.updateThread(thread, { resolvedAt: state === "resolved" ? new Date().toISOString() : null }),
      observe: (changed) => {
        provider.watchThreads(changed);
        return () => provider.unwatchThreads(changed);
      },
    },
    mark ?? { name: "inlineThread", attribute: "data-thread-id" },
  );
}
