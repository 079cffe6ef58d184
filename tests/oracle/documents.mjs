// Random documents that TipTap's schema allows, as JSON with all attributes.

const WORDS = ['alpha', 'beta ', ' ', 'x', ' gamma', '中文', '😀', '👩‍👧', 'e\u0301', '\u00a0', '&', '<b>', '"', '\u200b', 'two  spaces', 'tail ', '\u2028']

function marks(random) {
  if (random.chance(0.6)) return undefined
  if (random.chance(0.15)) return [{ type: 'code' }]
  const found = []
  if (random.chance(0.3)) {
    const attrs = { href: random.pick(['/x', 'https://a.b/?c=d&e="f"', '#', 'mailto:a@b']), target: random.pick(['_blank', '_blank', '_self', null]), rel: random.pick(['noopener noreferrer nofollow', null]), class: random.pick([null, 'k', 'k l']), title: random.pick([null, 'A "title" <x>']) }
    found.push({ type: 'link', attrs })
  }
  for (const type of ['bold', 'italic', 'strike', 'underline']) if (random.chance(0.3)) found.push({ type })
  return found.length ? found : undefined
}

const withMarks = (node, set) => (set ? { ...node, marks: set } : node)

function inline(random) {
  const nodes = []
  for (let left = random.below(6); left > 0; left--) {
    const set = marks(random)
    if (random.chance(0.15)) nodes.push(withMarks({ type: 'hardBreak' }, set))
    else {
      const last = nodes.at(-1)
      const text = random.times(1, 3, () => random.pick(WORDS)).join('')
      // Adjacent texts with equal marks are one text.
      if (last?.type === 'text' && JSON.stringify(last.marks) === JSON.stringify(set)) last.text += text
      else nodes.push({ type: 'text', ...(set ? { marks: set } : {}), text })
    }
  }
  return nodes
}

const node = (type, content, attrs) => ({ type, ...(attrs ? { attrs } : {}), ...(content?.length ? { content } : {}) })
const paragraph = (random) => node('paragraph', inline(random))
const item = (random, depth) => node('listItem', [paragraph(random), ...random.times(0, depth > 3 ? 0 : 2, () => block(random, depth + 1))])

function cell(random, depth) {
  const colspan = random.pick([1, 1, 1, 2, 3])
  const attrs = {
    colspan,
    rowspan: random.pick([1, 1, 1, 2]),
    colwidth: random.chance(0.25) ? random.times(colspan, colspan, () => random.pick([10, 25, 80, 120.5, 0])) : null,
    align: random.pick([null, null, 'left', 'right', 'center']),
  }
  return node(random.pick(['tableCell', 'tableCell', 'tableHeader']), random.times(1, 2, () => (random.chance(0.7) ? paragraph(random) : block(random, depth + 1))), attrs)
}

function block(random, depth) {
  const roll = random.below(depth > 4 ? 55 : 100)
  if (roll < 30) return paragraph(random)
  if (roll < 42) return node('heading', inline(random), { level: 1 + random.below(6) })
  if (roll < 46) return node('horizontalRule')
  if (roll < 50) return node('image', undefined, { src: random.pick(['/1.png', 'https://a.b/c.png?d&e']), alt: random.pick([null, 'alt "x"', '']), title: random.pick([null, 't']), width: random.pick([null, 100]), height: random.pick([null, 50.5]) })
  if (roll < 55) {
    const text = random.times(0, 4, () => random.pick([...WORDS, '\n', '\n\n', '  ', '\t'])).join('')
    return node('codeBlock', text ? [{ type: 'text', text }] : [], { language: random.pick([null, 'js', 'c++']) })
  }
  if (roll < 65) return node('blockquote', random.times(1, 3, () => block(random, depth + 1)))
  if (roll < 75) return node('bulletList', random.times(1, 3, () => item(random, depth + 1)))
  if (roll < 83) return node('orderedList', random.times(1, 3, () => item(random, depth + 1)), { start: random.pick([1, 1, 3, 0, -2]), type: random.pick([null, null, 'a', '1', 'I']) })
  if (roll < 91) return node('taskList', random.times(1, 3, () => node('taskItem', random.times(1, 2, () => paragraph(random)), { checked: random.chance(0.5) })))
  return node('table', random.times(1, 3, () => node('tableRow', random.times(random.chance(0.05) ? 0 : 1, 3, () => cell(random, depth + 1)))))
}

/** Returns a random document of TipTap's schema. */
export function randomDocument(random) {
  return node('doc', random.times(1, 6, () => block(random, 0)))
}
