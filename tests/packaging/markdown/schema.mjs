// The schema of an editor with everything that Markdown can hold, and smaller ones.
import { getSchema } from "@tiptap/core";
import { Details, DetailsContent, DetailsSummary } from "@tiptap/extension-details";
import Highlight from "@tiptap/extension-highlight";
import Image from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { Mathematics } from "@tiptap/extension-mathematics";
import Mention from "@tiptap/extension-mention";
import { TableKit } from "@tiptap/extension-table";
import TextAlign from "@tiptap/extension-text-align";
import { Color, TextStyle } from "@tiptap/extension-text-style";
import Youtube from "@tiptap/extension-youtube";
import StarterKit from "@tiptap/starter-kit";

const tasks = [TaskList, TaskItem.configure({ nested: true })];
const details = [Details.configure({ persist: true }), DetailsContent, DetailsSummary];

/** The demo's schema. */
export const plain = getSchema([StarterKit, Image, TableKit, ...tasks]);

/** With nodes and attributes that Markdown lacks. */
export const rich = getSchema([
  StarterKit, Image.configure({ inline: true }), TableKit, ...tasks, ...details, Mention, Mathematics, Highlight,
  TextAlign.configure({ types: ["paragraph", "heading"] }), TextStyle, Color, Youtube,
]);

/** Without lists, tables, code blocks and images. */
export const poor = getSchema([
  StarterKit.configure({
    bulletList: false, orderedList: false, listItem: false, listKeymap: false, codeBlock: false, blockquote: false, strike: false, link: false,
  }),
]);
