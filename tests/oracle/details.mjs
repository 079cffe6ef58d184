// A page that answers with TipTap and its Details extension: `oracle.answers()`.
//
//   node tests/oracle/ask.mjs details tests/fixtures/documents/details.jsonl

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/core'
import { Details, DetailsContent, DetailsSummary } from '@tiptap/extension-details'
import Image from '@tiptap/extension-image'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { TableKit } from '@tiptap/extension-table'
import { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { schemaData } from '../../pkg-template/src/document/schema.ts'
import { randomDocument } from './documents.mjs'
import { randomHtml } from './html.mjs'
import { randomFrom } from './random.mjs'

const GIVEN = [
  '<details><summary>Tea</summary><div data-type="detailsContent"><p>A drink.</p></div></details>',
  '<details open><summary>Tea</summary><div data-type="detailsContent"><p>A drink.</p></div></details>',
  '<details open="false"><summary>a<b>b</b><br>c</summary><div data-type="detailsContent"><ul><li>x</li></ul></div></details>',
  '<details><summary>Tea</summary><p>Not wrapped.</p><p>Twice.</p></details>',
  '<details><summary>Tea</summary>Only text.</details>',
  '<details><p>No summary.</p></details>',
  '<details></details>',
  '<details><summary></summary></details>',
  '<summary>Alone</summary><p>x</p>',
  '<div data-type="detailsContent"><p>alone</p></div>',
  '<div data-type="DetailsContent"><p>another</p></div>',
  '<ul><li><details><summary>In a list</summary><div data-type="detailsContent"><p>x</p></div></details></li></ul>',
  '<details><summary>a</summary><div data-type="detailsContent"><details><summary>b</summary><div data-type="detailsContent"><h2>c</h2></div></details></div></details>',
  '<details><summary>a</summary><summary>b</summary><div data-type="detailsContent"><p>c</p></div><div data-type="detailsContent"><p>d</p></div></details>',
  '<details><div data-type="detailsContent"><p>c</p></div><summary>late</summary></details>',
  '<p>before<details><summary>a</summary>b</details>after',
  '<details><summary><h2>Heading</h2></summary><table><tr><td>x</td></tr></table></details>',
  '<details><summary><p>one</p><p>two</p></summary><div data-type="detailsContent"></div></details>',
]
const RANDOM = 120

/** Random HTML with many elements of the extension. */
function htmlWithDetails(random) {
  const swap = (html, from, to) => html.replaceAll(from, (tag) => (random.chance(0.5) ? to : tag))
  const started = swap(randomHtml(random), /<(blockquote|section|div)(?=[ >])/g, random.pick(['<details', '<details open', '<div data-type="detailsContent"']))
  return swap(swap(started, /<(h1|dt|p)(?=[ >])/g, '<summary'), /<\/(h1|dt|p)>/g, '</summary>')
}

/** A random document in which quotes are replaced by details. */
function documentWithDetails(random, persist) {
  const swap = (node) => {
    const content = node.content?.map(swap)
    if (node.type !== 'blockquote') return content ? { ...node, content } : node
    const text = random.pick([[], [{ type: 'text', text: 'Sum & <mary>' }], [{ type: 'text', marks: [{ type: 'bold' }], text: 'bold' }]])
    const parts = [{ type: 'detailsSummary', content: text }, { type: 'detailsContent', content }]
    return { type: 'details', ...(persist ? { attrs: { open: random.chance(0.5) } } : {}), content: parts }
  }
  return swap(randomDocument(random))
}

function answers() {
  const base = [StarterKit, Image, TableKit, TaskList, TaskItem, DetailsSummary, DetailsContent]
  return [false, true].map((persist) => {
    const schema = getSchema([...base, Details.configure({ persist })])
    const parse = (html) => {
      const doc = createDocument(html, schema)
      return { html, doc: doc.toJSON(), editorHtml: getHTMLFromFragment(doc.content, schema) }
    }
    const write = (json) => {
      const doc = Node.fromJSON(schema, json)
      doc.check()
      return { json: doc.toJSON(), ...parse(getHTMLFromFragment(doc.content, schema)) }
    }
    const many = (make) => Array.from({ length: RANDOM }, (_, seed) => make(randomFrom(seed)))
    const short = (answer) => JSON.stringify(answer).length < 5000 && /details/.test(answer.editorHtml)
    const htmls = [...GIVEN.map(parse), ...many((random) => parse(htmlWithDetails(random))).filter(short)]
    const documents = many((random) => write(documentWithDetails(random, persist))).filter(short)
    return { schema: schemaData(schema), htmls, documents }
  })
}

globalThis.oracle = { answers }
