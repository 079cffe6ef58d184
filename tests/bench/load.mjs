// Plays many runs of the chat route at once, on two instances over one log, with readers that are slow, beside the AI SDK's
// response: deltas a second, the time to the first event, and memory. Each row is a process of its own.
//
//   cargo xtask bench load
//
// Fails if a text is not the model's.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { init } from '../../pkg/index.js'
import { createDocAgentRoute, memoryLog } from '../../pkg/route.js'
import { factor, figures, ms, sized, table } from './page.mjs'
import { answer, chunked } from './stream.mjs'

const DELTAS = sized(200, 50)
const RUNS = sized([250, 500, 1_000], [10, 20])
/** The characters that a slow reader reads in a millisecond. */
const SPEED = 1_000
const PER_CHUNK = 16
const baseUrl = 'https://model.example/v1'
const llmConfig = { model: { api: 'openai-completions', modelId: 'm' }, streamOptions: { baseUrl, apiKey: 'k' } }
const documentContent = '<h1>Tea</h1><p>A leaf.</p>'

const { events, text } = answer(DELTAS)

/** A model whose chunks come one a task, as from a network. */
async function fetchModel() {
  const chunks = chunked(events, PER_CHUNK)
  let at = 0
  const pull = async (out) => {
    await new Promise(setImmediate)
    at < chunks.length ? out.enqueue(chunks[at++]) : out.close()
  }
  return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } })
}

/** Two instances, which take turns. */
const instances = (options) => {
  const routes = [0, 1].map(() => createDocAgentRoute({ fetch: fetchModel, llmConfig, ...options }))
  return (run, headers = {}) => {
    const body = JSON.stringify({ message: 'x', documentContent, id: `chat-${run}`, ...(options.log && { runId: `run-${run}` }) })
    return routes[run % 2].POST(new Request('https://route.example/api', { method: 'POST', body, headers }))
  }
}

const token = { 'copydesk-run-token': 't'.repeat(20) }
const CASES = {
  'the route': () => instances({}),
  'the route, with a log': () => instances({ log: memoryLog(10_000, 2 ** 31) }),
  'the route, as a UI message stream': () => instances({ format: 'ui-message-stream' }),
  'the same, with a log': () => {
    const post = instances({ format: 'ui-message-stream', log: memoryLog(10_000, 2 ** 31) })
    return (run) => post(run, token)
  },
  'AI SDK 7, toUIMessageStreamResponse': () => {
    const model = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: 'k', fetch: fetchModel })('m')
    return async () => streamText({ model, prompt: 'x' }).toUIMessageStreamResponse()
  },
}

/** The deltas in a stream of either format. */
const textIn = (all) => [...all.matchAll(/^data: (\{"(?:seq|type)".*)$/gm)].map(([, json]) => JSON.parse(json)).map(({ type, content, delta }) => (type === 'content' ? content : type === 'text-delta' ? delta : '')).join('')

/** Reads a response slowly. Returns the time of its first event. */
async function read(name, response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let [first, all] = [0, '']
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    first ||= performance.now()
    all += chunk.value
    await new Promise((resolve) => setTimeout(resolve, chunk.value.length / SPEED))
  }
  if (textIn(all) !== text) throw new Error(`${name}: the text is not the model's`)
  return first
}

const percentile = (times, part) => times.toSorted((one, other) => one - other)[Math.ceil(times.length * part) - 1]

/** Plays one row, in its own process. */
async function play(name, runs) {
  await init()
  const open = CASES[name]()
  await read(name, await open(0))
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
  const start = performance.now()
  const firsts = await Promise.all(Array.from({ length: runs }, async (_, at) => (await read(name, await open(at + 1))) - start))
  const time = performance.now() - start
  clearInterval(watch)
  process.send({ rate: (runs * DELTAS) / time, median: percentile(firsts, 0.5), p99: percentile(firsts, 0.99), memory: (most - before) / runs })
}

const inProcess = (name, runs) =>
  new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--row', name, String(runs)], { execArgv: ['--expose-gc'] })
    child.once('message', resolve)
    child.once('exit', (code) => code && reject(new Error(`${name}: ended with ${code}`)))
  })

const row = process.argv.indexOf('--row')
if (row >= 0) {
  await play(process.argv[row + 1], Number(process.argv[row + 2]))
  process.exit()
}
for (const runs of RUNS) {
  const rows = {}
  for (const name of Object.keys(CASES)) rows[name] = await inProcess(name, runs)
  const theirs = rows['AI SDK 7, toUIMessageStreamResponse'].rate
  const ratio = (name) => factor(rows[name].rate / theirs)
  figures('load', ratio('the route'), ratio('the route, as a UI message stream'), ratio('the same, with a log'))
  table(`${runs} runs at once of ${DELTAS} deltas, ${PER_CHUNK} in a chunk of the model; readers read ${SPEED} characters a millisecond`, [
    ['', 'deltas a second', 'compared with the AI SDK', 'first event', 'its p99', 'memory of a run'],
    ...Object.entries(rows).map(([name, { rate, median, p99, memory }]) => [name, `${rate.toFixed(0)}k`, ratio(name), ms(median), ms(p99), `${(memory / 1024).toFixed(0)} kB`]),
  ])
}
