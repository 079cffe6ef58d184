// A page that answers with TipTap and its extensions of leaves: Mention, Mathematics, Emoji, Audio and YouTube:
// `oracle.answers()`.
//
//   node tests/oracle/ask.mjs inline-atoms tests/fixtures/documents/inline-atoms.jsonl

import { createDocument, getHTMLFromFragment, getSchema } from '@tiptap/core'
import Audio from '@tiptap/extension-audio'
import Emoji from '@tiptap/extension-emoji'
import Image from '@tiptap/extension-image'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { BlockMath, InlineMath } from '@tiptap/extension-mathematics'
import Mention from '@tiptap/extension-mention'
import { TableKit } from '@tiptap/extension-table'
import { Color, TextStyle } from '@tiptap/extension-text-style'
import Youtube from '@tiptap/extension-youtube'
import { Node } from '@tiptap/pm/model'
import StarterKit from '@tiptap/starter-kit'
import { schemaData } from '../../pkg-template/src/document/schema.ts'
import { randomDocument } from './documents.mjs'
import { randomHtml } from './html.mjs'
import { randomFrom } from './random.mjs'

const GIVEN = [
  '<p>Ask <span data-type="mention" data-id="1" data-label="Ann" data-mention-suggestion-char="@">@Ann</span> today</p>',
  '<p><span data-type="mention" data-id="7">@7</span><span data-type="mention" data-label="true">x</span></p>',
  '<p><span data-type="mention" data-id="" data-label="" data-mention-suggestion-char="">x</span></p>',
  '<p><span data-type="mention" data-id="tea" data-label="#tea" data-mention-suggestion-char="#" class="k"><b>#tea</b> and <i>more</i></span> rest</p>',
  '<p><span data-type="mention">no attributes</span> <span data-type="Mention" data-id="1">another name</span> <b data-type="mention" data-id="1">another element</b></p>',
  '<p><b>bold <span data-type="mention" data-id="1" style="color: red; font-weight: normal">@1</span></b> <span style="color: red">red <span data-type="mention" data-id="2">@2</span></span></p>',
  '<span data-type="mention" data-id="1">@1</span><h2>before <span data-type="mention" data-id="2">@2</span></h2>',
  '<pre><code>code <span data-type="mention" data-id="1">@1</span><br><span data-type="inline-math" data-latex="x"></span></code></pre>',
  '<p><code>code <span data-type="mention" data-id="1">@1</span></code><a href="/x"><span data-type="mention" data-id="1">@1</span></a></p>',
  '<ul><li><span data-type="mention" data-id="1">@1</span></li><li><div data-type="block-math" data-latex="x"></div></li></ul>',
  '<p>with <span data-type="inline-math" data-latex="x^2 &lt; &quot;y&quot;">x²</span>, <span data-type="inline-math">none</span> <span data-type="inline-math" data-latex="">empty</span></p>',
  '<p>a<div data-type="block-math" data-latex="\\frac{1}{2}\n+ 3"><p>rendered</p></div>b<span data-type="block-math" data-latex="x">no div</span></p>',
  '<div data-type="block-math"></div><div data-type="inline-math" data-latex="x">no span</div><table><tr><td><div data-type="block-math" data-latex="7"></div></td></tr></table>',
  '<p>Hot <span data-name="tea" data-type="emoji">🍵</span><span data-type="emoji" data-name="smile"><img src="/1.png" draggable="false" loading="lazy" align="absmiddle" alt="smile emoji"></span><span data-type="emoji">none</span></p>',
  '<audio src="/a.mp3"></audio><audio src="https://a.b/c.ogg" controls loop="false" muted="true" preload="none">no player</audio>',
  '<p>a<audio controls="false" src="a.mp3"><source src="/b.mp3"><p>no player</p></audio>b</p><audio></audio><audio src="data:audio/mp3;base64,AAAA"></audio><audio src="javascript:x"></audio>',
  '<div data-youtube-video=""><iframe width="640" height="480" src="https://www.youtube.com/embed/dQw4w9WgXcQ?rel=1&amp;start=42" start="7"></iframe></div>',
  '<div data-youtube-video><p>x<iframe width=" 100% " height="" src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"></iframe></p><p>y</p></div>',
  '<div data-youtube-video><iframe width="12px" height="1e2" src="https://www.youtube.com/embed/videoseries?list=PL1_a-b"></iframe><iframe></iframe></div>',
  '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe><div><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe></div>',
  '<div data-youtube-video><iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;start=3"></iframe><iframe src="//www.youtube.com/embed/a"></iframe><iframe src="https://evil.example/embed/a"></iframe></div>',
  '<div data-youtube-video><iframe src="https://www.youtube.com/embed/a?start=3x&amp;start=4"></iframe><iframe src="https://youtube.com/embed/a/b"></iframe><iframe src="https://www.youtube.com/embed/videoseries?list=a&amp;list=b"></iframe></div>',
]
const RANDOM = 200

const MENTIONS = ['data-id="1" data-label="Ann" data-mention-suggestion-char="@"', 'data-id="u9"', 'data-label="A &amp; B"', '']
const INLINE = [
  (random) => `<span data-type="mention" ${random.pick(MENTIONS)}>`,
  (random) => `<span data-type="inline-math" data-latex="${random.pick(['x^2', '', ' a ', '1'])}">`,
  (random) => `<span data-type="emoji" data-name="${random.pick(['tea', '', '1'])}">`,
]
const BLOCK = [
  (random) => `<div data-type="block-math" data-latex="${random.pick(['x^2', ' a\n b '])}">`,
  (random) => `<audio src="${random.pick(['/a.mp3', 'https://a.b/c.mp3'])}">`,
]

/** Random HTML with many elements of the extensions. */
function htmlWithAtoms(random) {
  const swap = (html, from, chance, to) => html.replaceAll(from, (tag) => (random.chance(chance) ? to(tag) : tag))
  const inside = swap(randomHtml(random), /<(small|label|q|ins|kbd|abbr|cite|time)>/g, 0.5, () => random.pick(INLINE)(random))
  const blocks = swap(inside, /<(section|article|figure|header)>/g, 0.4, () => random.pick(BLOCK)(random))
  return swap(blocks, /<(hr|br|img)>/g, 0.4, () => (random.chance(0.7) ? `${random.pick(INLINE)(random)}x</span>` : `${random.pick(BLOCK)(random)}</div></audio>`))
}

const NAMES = [null, '', 'Ann Lee', '李明', '#tea', 'a"b<c>&', ' x ', 0, 7, true]
const LATEX = ['', 'x^2', 'a < b & "c"', '\\frac{1}{2}\n+ 1']
const LEAVES = {
  mention: (random) => ({ id: random.pick(NAMES), label: random.pick(NAMES), mentionSuggestionChar: random.pick(['@', '#']) }),
  inlineMath: (random) => ({ latex: random.pick(LATEX) }),
  emoji: (random) => ({ name: random.pick([null, 'tea', 'a"b']) }),
}
const SOURCES = ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQ?t=3', 'https://www.youtube.com/shorts/abc', 'http://m.youtube.com/live/abc?x=1', 'youtube.com/watch?v=a&list=b', 'https://www.youtube.com/playlist?list=PL1_a-b', 'https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0', 'https://www.youtube-nocookie.com/embed/abc', 'https://music.youtube.com/watch?v=a-b', 'https://www.youtube.com/@channel', 'https://www.youtube.com/feed', 'https://evil.example/watch?v=a', 'javascript:x', 'https://youtu.be/', 'https://www.youtube.com/watch?x=1', 'https://www.youtube.com/watch?v=', 'https://www.youtube.com/watch?v=a b', null]
const BLOCKS = {
  blockMath: (random) => ({ latex: random.pick(LATEX) }),
  audio: (random) => ({ src: random.pick([null, '', '/a.mp3', './a', '../b', '//a.b/c', 'a.mp3', 'https://a.b/c.mp3?d=e&f', 'HTTP://A.B/', 'ftp://a/b', 'data:audio/mp3;base64,AAAA', 'javascript:x']), controls: random.pick([true, false, '']), autoplay: random.chance(0.3), loop: random.pick([false, true, null]), muted: false, preload: random.pick(['metadata', 'none', null]), controlslist: random.pick([null, 'nodownload']), crossorigin: random.pick([null, '', 'anonymous']), disableremoteplayback: random.chance(0.2) }),
  youtube: (random) => ({ src: random.pick(SOURCES), start: random.pick([0, 0, 42, null]), width: random.pick([640, '100%']), height: random.pick([480, 320.5]) }),
}

/** A random document with leaves of the extensions in place of texts, rules and images. */
function documentWithAtoms(random, schema) {
  const leaf = (types, node) => {
    const type = random.pick(Object.keys(types))
    return { type, attrs: types[type](random), ...(node.marks ? { marks: node.marks } : {}) }
  }
  const changed = (node, parent) => {
    if (node.type === 'text') return parent !== 'codeBlock' && random.chance(0.5) ? leaf(LEAVES, node) : node
    if (['horizontalRule', 'image'].includes(node.type) && random.chance(0.8)) return leaf(BLOCKS, node)
    return node.content ? { ...node, content: node.content.map((child) => changed(child, node.type)) } : node
  }
  return Node.fromJSON(schema, changed(randomDocument(random)))
}

function answers() {
  const suggestions = ['@', '#'].map((char) => ({ char }))
  const audio = Audio.configure({ controlslist: null, crossorigin: null })
  const leaves = [Mention.configure({ suggestions }), InlineMath, BlockMath, Emoji.configure({ emojis: [] }), audio, Youtube]
  const schema = getSchema([StarterKit, Image, TableKit, TaskList, TaskItem, TextStyle, Color, ...leaves])
  const parse = (html) => ({ html, doc: createDocument(html, schema).toJSON() })
  const write = (doc) => {
    doc.check()
    return { json: doc.toJSON(), ...parse(getHTMLFromFragment(doc.content, schema)) }
  }
  const many = (make) => Array.from({ length: RANDOM }, (_, seed) => make(randomFrom(seed)))
  const short = (answer) => JSON.stringify(answer).length < 4000 && /"(mention|inlineMath|blockMath|emoji|audio|youtube)"/.test(JSON.stringify(answer))
  const htmls = [...GIVEN.map(parse), ...many((random) => parse(htmlWithAtoms(random))).filter(short)]
  const documents = many((random) => write(documentWithAtoms(random, schema))).filter(short)
  return [{ schema: schemaData(schema), htmls, documents }]
}

globalThis.oracle = { answers }
