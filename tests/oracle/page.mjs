// A page that answers with TipTap: `oracle.htmls(seed, count)` and `oracle.documents(seed, count)`.

import { randomDocument } from './documents.mjs'
import { randomHtml } from './html.mjs'
import { randomFrom } from './random.mjs'
import { parse, write } from './tiptap.mjs'

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index))

globalThis.oracle = {
  parse,
  write,
  // Every case has its own seed, so that one that fails can be repeated alone.
  htmls: (seed, count) => many(count, (index) => ({ seed: seed + index, ...parse(randomHtml(randomFrom(seed + index))) })),
  documents: (seed, count) => many(count, (index) => ({ seed: seed + index, ...write(randomDocument(randomFrom(seed + index))) })),
}
