// `cargo xtask bench loop`: compares copydesk's agent loop with others on a recorded stream: throughput, and how long the
// page is blocked.
//
// All chunks are available at once, so that only the loops are measured. Vite reports that `node:fs` is left out:
// pi-ai looks for keys in files where it can.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { close, factor, figures, measuring, medians, ms, sized, table } from './page.mjs'
import { answer } from './stream.mjs'

const NAMES = { copydesk: 'copydesk', ai: 'AI SDK 6, ToolLoopAgent', pi: 'pi-agent-core 0.74' }
const names = Object.keys(NAMES)

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
if (!existsSync(here('node_modules'))) throw new Error('the other agent loops are not installed: `cargo xtask bench loop` installs them')

/** A model that answers at once with the number of deltas in its URL. */
function model(request, response) {
  const [, deltas] = request.url.match(/^\/(\d+)\/v1\/chat\/completions$/) ?? []
  if (!deltas) return false
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(Buffer.concat(answer(Number(deltas)).events))
  return true
}

const ask = await measuring(here('loops'), { answer: model })

const { deltas, long, textRuns, wholeRuns, delivered } = sized(
  { deltas: 10_000, long: 20_000, textRuns: 11, wholeRuns: 15, delivered: [1, 16, 256] },
  { deltas: 500, long: 500, textRuns: 1, wholeRuns: 1, delivered: [16] },
)

const streams = []
for (const perChunk of delivered) streams.push({ perChunk, ...(await ask('textStream', textRuns, deltas, perChunk)) })
const fastest = (of) => Math.min(of.ai, of.pi)
const all = streams.map(medians)
figures('deltas', ...all.map((of) => factor(fastest(of) / of.copydesk)))
table(`An answer of ${deltas} deltas through the loop: deltas a second`, [
  ['events in a chunk', ...streams.map(({ perChunk }) => String(perChunk))],
  ...names.map((name) => [NAMES[name], ...all.map((of, index) => `${(streams[index].deltas / of[name]).toFixed(0)}k`)]),
  ['faster than the faster of the two  (goal 3×)', ...all.map((of) => factor(fastest(of) / of.copydesk))],
  ['the chunks read, and nothing done with them', ...all.map((of, index) => `${(streams[index].deltas / of.alone).toFixed(0)}k`)],
])

const runs = []
for (const perChunk of delivered.slice(0, 2)) runs.push({ perChunk, ...(await ask('wholeRun', wholeRuns, perChunk)) })
const wholes = runs.map(medians)
figures('whole run', ...wholes.map((of) => factor(fastest(of) / of.copydesk)))
table(`A whole run: a call with ${runs[0].deltas - 500} deltas of arguments, then 500 deltas of text`, [
  ['events in a chunk', ...runs.map(({ perChunk }) => String(perChunk))],
  ...names.map((name) => [`${NAMES[name]}${name === 'copydesk' ? ', editing a document' : ''}`, ...wholes.map((of) => ms(of[name]))]),
  ['faster than the faster of the two  (goal 3×)', ...wholes.map((of) => factor(fastest(of) / of.copydesk))],
])

const deliveries = [['one event in a task', 1], ['300 events (100 kB) in a task', 300], ['by the network, as fast as it can', 0]]
const rows = []
for (const name of names) {
  const cells = []
  for (const [, perChunk] of deliveries) {
    const { took, tasks } = await ask('longTasks', name, long, perChunk)
    cells.push(`${tasks.length ? `${ms(Math.max(...tasks))} (${tasks.length} over 50)` : 'none over 50 ms'}, in ${ms(took)}`)
  }
  rows.push([NAMES[name], ...cells])
}
table(`${long} deltas: the longest task  (goal: none over 50 ms)`, [['', ...deliveries.map(([label]) => label)], ...rows])

await close()
