// Lines and sections by a plain walk over a ProseMirror document: slow and simple.

/**
 * `[{line, from, to, type, text, path}]`: segments of textblocks between hard breaks (in code between newlines), and
 * leaf blocks.
 */
export function linesOf(doc) {
  const lines = []
  const add = (node, path, from, to, text) => lines.push({ line: lines.length + 1, from, to, type: node.type.name, text, path })
  const walk = (parent, start, path) =>
    parent.forEach((node, offset, index) => {
      const [position, here] = [start + offset, [...path, index]]
      if (node.isTextblock) segments(node, position + 1, (from, to, text) => add(node, here, from, to, text))
      else if (node.isLeaf) add(node, here, position, position + node.nodeSize, '')
      else walk(node, position + 1, here)
    })
  walk(doc, 0, [])
  return lines
}

/**
 * Every position of a textblock is a text unit, a break, an inline leaf with its text form, or an edge shown as U+FFFC.
 * A newline is a break in the textblock's own text, and not inside an inline node.
 */
function segments(textblock, start, see) {
  const units = []
  const collect = (node, isOwn) => {
    if (node.isText) for (const unit of textOf(node).split('')) units.push(unit === '\n' && isOwn ? null : unit)
    else if (isBreak(node)) units.push(null)
    else if (node.isLeaf) units.push(formOf(node))
    else {
      units.push('\ufffc')
      node.forEach((child) => collect(child, false))
      units.push('\ufffc')
    }
  }
  textblock.forEach((child) => collect(child, true))
  let from = 0
  for (let at = 0; at <= units.length; at++) {
    if (at < units.length && units[at] !== null) continue
    see(start + from, start + at, units.slice(from, at).join(''))
    from = at + 1
  }
}

/** What a reader takes an inline leaf for. */
function formOf({ type, attrs }) {
  const oneLine = (text) => text.split(/[\s\p{Cc}]+/u).filter(Boolean).join(' ')
  const own = {
    mention: () => {
      const sign = attrs.mentionSuggestionChar || '@'
      const name = attrs.label?.trim() ? attrs.label : attrs.id
      return name ? (String(name).startsWith(sign) ? String(name) : sign + String(name).trimStart()) : ''
    },
    inlineMath: () => (attrs.latex?.trim() ? `$${attrs.latex.trim()}$` : ''),
    emoji: () => (attrs.name?.trim() ? `:${attrs.name.trim()}:` : ''),
    image: () => `![${attrs.alt ?? ''}](${attrs.src?.startsWith('data:') ? `${attrs.src.slice(0, attrs.src.includes(',') ? attrs.src.indexOf(',') : 5)}…` : (attrs.src ?? '')})`,
  }[type.name]
  const form = own ? oneLine(own()) : ''
  if (form) return form
  const telling = ['label', 'name', 'title', 'latex', 'text', 'alt', 'caption', 'value', 'date', 'id', 'key', 'src', 'href', 'url']
  const values = [...telling.map((name) => attrs[name]), ...Object.values(attrs)]
  const texts = values.map((value) => (typeof value === 'string' ? oneLine(value) : typeof value === 'number' ? String(value) : ''))
  const text = texts.find(Boolean)
  if (text === undefined) return `[${type.name}]`
  return `[${type.name}: ${[...text].length > 80 ? `${[...text].slice(0, 80).join('')}…` : text}]`
}

/** A mark may separate the halves of a surrogate pair; Rust has U+FFFD for each of them. */
const textOf = (node) => node.text.toWellFormed()

const isBreak = (node) => node.type === node.type.schema.linebreakReplacement || node.type.name === 'hardBreak'

/**
 * `[{index, title, from, to, blocks, heading}]`: everything before the first top-level h2, then each h2 up to the next.
 */
export function sectionsOf(doc) {
  if (isEmpty(doc)) return []
  const sections = [{ index: 0, title: '', from: 0, to: 0, blocks: [0, 0], heading: null }]
  doc.forEach((node, offset, index) => {
    const level = node.type.name === 'heading' ? node.attrs.level : 0
    if (level === 2) sections.push({ index: sections.length, title: titleOf(node), from: offset, to: offset, blocks: [index, index], heading: index })
    const section = sections.at(-1)
    if (level === 1 && section.index === 0 && section.heading === null) Object.assign(section, { title: titleOf(node), heading: index })
    section.to = offset + node.nodeSize
    section.blocks[1] = index + 1
  })
  return sections
}

/** Returns whether there are only empty paragraphs. */
const isEmpty = (doc) => doc.content.content.every((block) => block.type.name === 'paragraph' && block.childCount === 0)

const titleOf = (heading) => {
  let title = ''
  heading.forEach((node) => (title += isBreak(node) ? ' ' : node.isText ? textOf(node) : node.isLeaf ? formOf(node) : node.textContent))
  return title.replaceAll('\n', ' ')
}
