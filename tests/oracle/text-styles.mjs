// A page that answers with TipTap and its extensions of text styles: Highlight (with and without colors), Subscript,
// Superscript, TextStyle with what can be added to it, and TextAlign: `oracle.answers()`.
//
//   node tests/oracle/ask.mjs text-styles tests/fixtures/documents/text-styles.jsonl

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/core'
import Highlight from '@tiptap/extension-highlight'
import Image from '@tiptap/extension-image'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import Subscript from '@tiptap/extension-subscript'
import Superscript from '@tiptap/extension-superscript'
import { TableKit } from '@tiptap/extension-table'
import TextAlign from '@tiptap/extension-text-align'
import { BackgroundColor, Color, FontFamily, FontSize, LineHeight, TextStyle } from '@tiptap/extension-text-style'
import { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { schemaData } from '../../pkg-template/src/document/schema.ts'
import { randomDocument } from './documents.mjs'
import { randomHtml } from './html.mjs'
import { randomFrom } from './random.mjs'

const GIVEN = [
  '<p>H<sub>2</sub>O, x<sup>2</sup>, <mark>important</mark></p>',
  '<p><mark data-color="#ff0" style="background-color: #ff0; color: inherit">yellow</mark> <mark style="background-color: red">red</mark></p>',
  '<p><mark data-color="">a</mark><mark style="background: lime">b</mark><mark style="BACKGROUND-COLOR: #F00 ; x">c</mark></p>',
  '<p><span style="color: #f00">red <span style="font-size: 12px">small and red</span></span></p>',
  '<p><span style="color: #f00">red <b><span>same <span style="color: blue">blue</span></span></b></span></p>',
  '<p><span>plain <span style="line-height: 1.5">high</span></span><span style="">empty</span></p>',
  `<p><span style="font-family: 'Times New Roman', serif; color: 'red'">quoted</span></p>`,
  '<p><span style="font-weight: bold; color: green">bold</span><span style="vertical-align: super">up</span><span style="vertical-align: sub">down</span></p>',
  '<p><i style="vertical-align: super; color: red">no span</i><span style="background-color: rgb(1, 2, 3)">x</span></p>',
  '<p style="text-align: center">centre</p><h2 style="text-align:RIGHT">right</h2><p style="text-align: start">start</p>',
  '<p align="center">old</p><blockquote style="text-align: center"><p>outside</p></blockquote>',
  '<table><tr><td style="text-align: center"><p style="text-align: justify">cell</p></td></tr></table>',
  '<p><code><mark>code</mark></code><a href="/x"><mark>link</mark></a></p>',
]
const RANDOM = 150
const STYLES = ['color: red', 'color: #0a0', 'background-color: blue', 'background: teal', 'font-size: 12px', 'font-family: Arial', 'line-height: 1.5', 'vertical-align: sub', 'vertical-align: super', 'vertical-align: 4px', 'text-align: center', 'text-align: right', 'font-weight: bold', 'color', 'x: y']

/** Random HTML with many elements and styles of the extensions. */
function htmlWithStyles(random) {
  const swap = (html, from, to) => html.replaceAll(from, (tag) => (random.chance(0.5) ? to() : tag))
  const styled = (name) => `<${name} style="${random.times(1, 3, () => random.pick(STYLES)).join('; ')}"`
  const named = swap(randomHtml(random), /<(small|label|q|ins|kbd|abbr)(?=[ >])/g, () => random.pick(['<mark', '<sub', '<sup', '<span']))
  return swap(named, /<(span|mark|p|h1|h2)(?=>)/g, () => styled(random.pick(['span', 'span', 'mark', 'p', 'h2'])))
}

const COLORS = [null, 'red', 'rgb(1, 2, 3)']
const MARKS = {
  subscript: () => undefined,
  superscript: () => undefined,
  highlight: (random, multicolor) => (multicolor ? { color: random.pick(COLORS) } : undefined),
  textStyle: (random) => ({ backgroundColor: random.pick(COLORS), color: random.pick(COLORS), fontFamily: random.pick([null, 'Arial', 'Arial, serif']), fontSize: random.pick([null, '12px']), lineHeight: random.pick([null, '1.5']) }),
}

/** A random document whose texts and textblocks have styles. */
function documentWithStyles(random, multicolor, schema) {
  const marksOf = (node) => {
    const added = Object.entries(MARKS).filter(() => random.chance(0.2)).map(([type, attrs]) => ({ type, attrs: attrs(random, multicolor) }))
    return added.length && !node.marks?.some(({ type }) => type === 'code') ? { marks: [...(node.marks ?? []), ...added] } : {}
  }
  const styled = (node, parent) => {
    if (node.type === 'text') return parent === 'codeBlock' ? node : { ...node, ...marksOf(node) }
    const align = ['paragraph', 'heading'].includes(node.type) ? { attrs: { ...node.attrs, textAlign: random.pick([null, null, 'center', 'right']) } } : {}
    return { ...node, ...align, ...(node.content ? { content: node.content.map((child) => styled(child, node.type)) } : {}) }
  }
  const made = Node.fromJSON(schema, styled(randomDocument(random)))
  // Sorts the marks by rank and joins equal texts, as an editor has them.
  return Node.fromJSON(schema, sorted(made, schema).toJSON())
}

function sorted(node, schema) {
  if (node.isText) return node.mark(node.marks.reduce((set, mark) => mark.addToSet(set), []))
  const children = []
  node.forEach((child) => children.push(sorted(child, schema)))
  return node.type.create(node.attrs, children, node.marks.reduce((set, mark) => mark.addToSet(set), []))
}

function answers() {
  const styles = [Subscript, Superscript, TextStyle, BackgroundColor, Color, FontFamily, FontSize, LineHeight, TextAlign.configure({ types: ['heading', 'paragraph'] })]
  return [false, true].map((multicolor) => {
    const schema = getSchema([StarterKit, Image, TableKit, TaskList, TaskItem, ...styles, Highlight.configure({ multicolor })])
    const parse = (html) => {
      const doc = createDocument(html, schema)
      return { html, doc: doc.toJSON() }
    }
    const write = (doc) => {
      doc.check()
      return { json: doc.toJSON(), ...parse(getHTMLFromFragment(doc.content, schema)) }
    }
    const many = (make) => Array.from({ length: RANDOM }, (_, seed) => make(randomFrom(seed)))
    const short = (answer) => JSON.stringify(answer).length < 4000 && /"(highlight|textStyle|su[bp]...script)"|"textAlign":"/.test(JSON.stringify(answer.doc))
    const htmls = [...GIVEN.map(parse), ...many((random) => parse(htmlWithStyles(random))).filter(short)]
    const documents = many((random) => write(documentWithStyles(random, multicolor, schema))).filter(short)
    return { schema: schemaData(schema), htmls, documents }
  })
}

globalThis.oracle = { answers }
