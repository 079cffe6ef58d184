// What TipTap itself answers. Runs in a browser.

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/core'
import Image from '@tiptap/extension-image'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { TableKit } from '@tiptap/extension-table'
import { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'

/** The schema that the crate has built in. */
export const schema = getSchema([StarterKit, Image, TableKit, TaskList, TaskItem])

/** The document that an editor makes of HTML, and the HTML it writes of that. */
export function parse(html) {
  const doc = createDocument(html, schema)
  return { html, doc: doc.toJSON(), editorHtml: getHTMLFromFragment(doc.content, schema) }
}

/** The HTML that an editor writes of a document, and the document that comes of it. */
export function write(json) {
  const doc = Node.fromJSON(schema, json)
  doc.check()
  return { json: doc.toJSON(), ...parse(getHTMLFromFragment(doc.content, schema)) }
}
