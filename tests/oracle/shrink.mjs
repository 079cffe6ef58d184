// Shrinks a failing input. `fails(input)` may be called a few thousand times.

const MOST_TRIES = 3000

/** Shrinks a text by removing tags and characters: first halves, finally single ones. */
export function shrinkText(text, fails) {
  const whole = budget(fails)
  const byTags = without(text.match(/<[^<>]*>|[^<]+|</g) ?? [], (pieces) => whole(pieces.join(''))).join('')
  return without([...byTags], (pieces) => whole(pieces.join(''))).join('')
}

/** Shrinks a JSON document: removes children, marks and attributes, shortens texts, replaces nodes by their descendants. */
export function shrinkDocument(json, fails) {
  const whole = budget(fails)
  let best = json
  for (let found = true; found; ) {
    found = false
    for (const smaller of variants(best)) {
      if (!whole(smaller)) continue
      best = smaller
      found = true
      break
    }
  }
  return best
}

/** Shrinks a list to the items needed for the failure. */
export function without(items, fails) {
  let rest = items
  for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < rest.length; ) {
      const fewer = [...rest.slice(0, at), ...rest.slice(at + size)]
      if (fails(fewer)) rest = fewer
      else at += size
    }
  }
  return rest
}

function budget(fails) {
  let left = MOST_TRIES
  return (input) => left-- > 0 && fails(input)
}

function* variants(node) {
  const content = node.content ?? []
  for (let at = 0; at < content.length; at++) yield { ...node, content: content.toSpliced(at, 1) }
  for (let at = 0; at < content.length; at++) {
    for (const inner of descendants(content[at])) yield { ...node, content: content.toSpliced(at, 1, inner) }
  }
  if (node.marks) yield (({ marks, ...rest }) => rest)(node)
  for (let at = 0; at < (node.marks?.length ?? 0); at++) yield { ...node, marks: node.marks.toSpliced(at, 1) }
  if (node.content && !content.length) yield (({ content, ...rest }) => rest)(node)
  if (node.attrs) yield (({ attrs, ...rest }) => rest)(node)
  if (node.text?.length > 1) {
    const half = Math.ceil(node.text.length / 2)
    yield { ...node, text: node.text.slice(0, half) }
    yield { ...node, text: node.text.slice(half) }
  }
  for (let at = 0; at < content.length; at++) {
    for (const child of variants(content[at])) yield { ...node, content: content.toSpliced(at, 1, child) }
  }
}

function* descendants(node) {
  for (const child of node.content ?? []) {
    yield child
    yield* descendants(child)
  }
}
