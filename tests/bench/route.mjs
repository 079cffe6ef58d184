// Compares the chat route with the agent alone and with the AI SDK's response, in one process of Node:
// the time from the request to the first event, and deltas a second to the end of the stream.
//
//   cargo xtask bench route
//
// Fails if a text is not the model's.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { streamText } from 'ai'
import { Agent, Document, init } from '../../pkg/index.js'
import { createDocAgentRoute } from '../../pkg/route.js'
import { factor, median, ms, sized, table } from './page.mjs'
import { answer, chunked } from './stream.mjs'

const DELTAS = sized(10_000, 100)
const ROUNDS = sized(11, 1)
const baseUrl = 'https://model.example/v1'
const llmConfig = { model: { api: 'openai-completions', modelId: 'm' }, streamOptions: { baseUrl, apiKey: 'k' } }

await init()
const { events, text } = answer(DELTAS)

/** A model whose chunks are all available at once, a task after the request, as from a network. */
const modelOf = (perChunk) => {
  const chunks = chunked(events, perChunk)
  return async () => {
    await new Promise(setImmediate)
    let at = 0
    const pull = (out) => (at < chunks.length ? out.enqueue(chunks[at++]) : out.close())
    return new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } })
  }
}

/** Reads a response to its end. Returns the time of the first event and the length of its text. */
async function read(response) {
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let [first, all] = [0, '']
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    first ||= performance.now()
    all += decoder.decode(chunk.value, { stream: true })
  }
  return { first, all }
}

const documentContent = '<h1>Tea</h1><p>A leaf.</p>'
const OWN = { message: 'x', documentContent, llmConfig }
const AG_UI = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'x' }], state: { documentContent }, forwardedProps: { llmConfig } }
const post = (route, body = OWN) => route.POST(new Request('https://route.example/api', { method: 'POST', body: JSON.stringify(body) }))
const CASES = {
  'the agent alone': async (fetch) => {
    const agent = new Agent({ document: Document.fromHTML(documentContent), llmConfig, fetch })
    let [first, all] = [0, '']
    agent.subscribe((event) => {
      first ||= performance.now()
      if (event.type === 'content') all += event.content
    })
    await agent.prompt('x')
    agent.dispose()
    return { first, all, whole: all === text }
  },
  'the route': async (fetch) => read(await post(createDocAgentRoute({ fetch }))),
  'the route, as a UI message stream': async (fetch) => read(await post(createDocAgentRoute({ fetch, format: 'ui-message-stream' }))),
  'the route, as AG-UI': async (fetch) => read(await post(createDocAgentRoute({ fetch, format: 'ag-ui' }), AG_UI)),
  'AI SDK 7, toUIMessageStreamResponse': async (fetch) => {
    const model = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: 'k', fetch })('m')
    return read(streamText({ model, prompt: 'x' }).toUIMessageStreamResponse())
  },
}

/** The deltas in a stream of either format. */
const textIn = (all) => [...all.matchAll(/^data: (\{"(?:seq|type)".*)$/gm)].map(([, json]) => JSON.parse(json)).map(({ type, content, delta }) => (type === 'content' ? content : ['text-delta', 'TEXT_MESSAGE_CONTENT'].includes(type) ? delta : '')).join('')

for (const perChunk of [1, 16]) {
  const fetch = modelOf(perChunk)
  const times = Object.fromEntries(Object.keys(CASES).map((name) => [name, { first: [], all: [] }]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, run] of Object.entries(CASES)) {
      const start = performance.now()
      const { first, all, whole } = await run(fetch)
      times[name].all.push(performance.now() - start)
      times[name].first.push(first - start)
      if (!(whole ?? textIn(all) === text)) throw new Error(`${name}: the text is not the model's`)
    }
  }
  const rate = (name) => DELTAS / median(times[name].all)
  const theirs = rate('AI SDK 7, toUIMessageStreamResponse')
  table(`The chat route: ${DELTAS} deltas, ${perChunk} in a chunk of the model`, [
    ['', 'first event', 'deltas a second', 'compared with the AI SDK'],
    ...Object.keys(CASES).map((name) => [name, ms(median(times[name].first)), `${rate(name).toFixed(0)}k`, factor(rate(name) / theirs)]),
  ])
}
