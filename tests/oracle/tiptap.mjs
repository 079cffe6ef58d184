// TipTap's own results. Runs in a browser.

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/core'
import Image from '@tiptap/extension-image'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { TableKit } from '@tiptap/extension-table'
import { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'

/** The built-in schema of the crate. */
export const schema = getSchema([StarterKit, Image, TableKit, TaskList, TaskItem])

/** Returns the document that an editor parses from HTML, and the HTML it serializes. */
export function parse(html) {
  const doc = createDocument(html, schema)
  return { html, doc: doc.toJSON(), editorHtml: getHTMLFromFragment(doc.content, schema) }
}

/** Returns the HTML that an editor serializes from a document, and the document parsed from it. */
export function write(json) {
  const doc = Node.fromJSON(schema, json)
  doc.check()
  return { json: doc.toJSON(), ...parse(getHTMLFromFragment(doc.content, schema)) }
}
