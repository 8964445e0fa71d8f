import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { until } from '@trainyard/platform/test/until.ts'
import { MESSAGE_BYTES, StreamRefused, Streams, STREAMS_MAX, WAITING_FRAMES_MAX, WINDOW_BYTES } from './streams.ts'

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MESSAGE_BYTES })
await once(server, 'listening')
afterAll(() => {
  server.close()
})
const noAbort = new AbortController().signal

let portal: Streams
let portalSocket: WebSocket
let agentSocket: WebSocket
let accept: (ticket: string, stream: Duplex) => Promise<void>
/** The agent's ends of the streams, in the order of opening. */
let served: Duplex[]

beforeEach(async () => {
  served = []
  accept = async (_ticket, stream) => void served.push(stream)
  agentSocket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const opened = once(agentSocket, 'open')
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  portalSocket = socket.on('error', () => {})
  await opened
  portal = new Streams(portalSocket, null)
  // oxlint-disable-next-line no-new -- it serves the socket until that closes
  new Streams(
    agentSocket.on('error', () => {}),
    (ticket, stream) => accept(ticket, stream),
  )
  return () => agentSocket.terminate()
})

async function readAll(stream: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

test('passes bytes in both directions, and the end of each', async () => {
  accept = async (ticket, stream) => {
    stream.write(`hello ${ticket}: `)
    stream.pipe(new PassThrough()).pipe(stream)
  }
  const stream = await portal.open('one', noAbort)
  stream.end('echo')
  expect((await readAll(stream)).toString()).toBe('hello one: echo')
  await until(
    'both sides forgot it',
    async () => portal.size,
    (size) => size === 0,
  )
})

test('a slow reader stops its own sender after one window, but no other stream', async () => {
  const slow = await portal.open('slow', noAbort)
  const fastStream = await portal.open('fast', noAbort)
  let accepted = 0
  const big = Buffer.alloc(16 * 1024, 1)
  const pump = () => served[0]!.write(big, () => (accepted += big.length) < 4 * WINDOW_BYTES && pump())
  pump()
  for (const [n, expected] of [
    [64, 64 * 32_768],
    [1, 32_768],
  ] as const) {
    for (let i = 0; i < n; i++) served[1]!.write(Buffer.alloc(32_768, 2))
    let received = 0
    while (received < expected) {
      const chunk = fastStream.read() as Buffer | null
      if (chunk === null) await once(fastStream, 'readable')
      else received += chunk.length
    }
  }
  // The reader's own buffer is full, and so is the window beyond it.
  expect(accepted).toBeGreaterThanOrEqual(WINDOW_BYTES - big.length)
  expect(accepted).toBeLessThanOrEqual(WINDOW_BYTES + 2 * slow.readableHighWaterMark + 2 * big.length)
  expect(slow.readableLength).toBeLessThan(2 * WINDOW_BYTES)
  slow.resume()
  await until(
    'the sender continues',
    async () => accepted,
    (bytes) => bytes >= 4 * WINDOW_BYTES,
  )
})

test('reports why the agent refused, and gives up when aborted', async () => {
  for (const reason of ['ticket', 'range', 'unreachable', 'busy'] as const) {
    accept = () => Promise.reject(new StreamRefused(reason))
    await expect(portal.open('one', noAbort)).rejects.toMatchObject({ reason })
  }
  accept = () => new Promise(() => {})
  await expect(portal.open('one', AbortSignal.timeout(20))).rejects.toThrow(StreamRefused)
  await expect(portal.open('one', AbortSignal.abort())).rejects.toThrow(StreamRefused)
  expect(portal.size).toBe(0)
})

test('an aborted stream is aborted on the other side', async () => {
  const first = await portal.open('one', noAbort)
  first.destroy()
  if (!served[0]!.destroyed) await once(served[0]!, 'close')
  const second = await portal.open('two', noAbort)
  served[1]!.destroy()
  await once(second, 'close')
  expect([served[0]!.destroyed, second.destroyed]).toEqual([true, true])
})

test('all streams end with the connection, and none opens after it', async () => {
  const stream = await portal.open('one', noAbort)
  const [ended, served0] = [once(stream, 'close'), once(served[0]!, 'close')]
  agentSocket.terminate()
  await Promise.all([ended, served0])
  await expect(portal.open('two', AbortSignal.timeout(50))).rejects.toThrow(StreamRefused)
})

test('opens a bounded number of streams', async () => {
  accept = () => new Promise(() => {})
  const opening = Array.from({ length: STREAMS_MAX }, () => portal.open('one', noAbort).catch(() => null))
  await expect(portal.open('one more', noAbort)).rejects.toMatchObject({ reason: 'busy' })
  agentSocket.terminate()
  await Promise.all(opening)
})

const frame = (kind: number, id: number, content = Buffer.alloc(0)) => {
  const header = Buffer.alloc(5)
  header[0] = kind
  header.writeUInt32BE(id, 1)
  return Buffer.concat([header, content])
}
test.each<[string, (send: (bytes: Buffer) => void, id: number) => void]>([
  ['opens a stream', (send) => send(frame(1, 77, Buffer.from('ticket')))],
  [
    'sends more than the window',
    (send, id) => {
      for (let i = 0; i < 9 + WINDOW_BYTES / 32_768; i++) send(frame(4, id, Buffer.alloc(32_768)))
    },
  ],
  ['returns credit that was not used', (send, id) => send(frame(5, id, Buffer.from([0, 1, 0, 0])))],
  ['returns malformed credit', (send, id) => send(frame(5, id, Buffer.from([1])))],
  ['sends an empty data frame', (send, id) => send(frame(4, id))],
  [
    'ends a stream twice',
    (send, id) => {
      send(frame(6, id))
      send(frame(6, id))
    },
  ],
  [
    'sends data after the end',
    (send, id) => {
      send(frame(6, id))
      send(frame(4, id, Buffer.from('x')))
    },
  ],
  ['opens a stream twice', (send, id) => send(frame(2, id))],
  ['sends an unknown frame', (send, id) => send(frame(99, id))],
  ['sends a short frame', (send) => send(Buffer.from([4]))],
])('an agent that %s is disconnected', async (_what, violate) => {
  await portal.open('one', noAbort)
  const closed = once(portalSocket, 'close')
  violate((bytes) => agentSocket.send(bytes), 1)
  await closed
  expect(portal.size).toBe(0)
})

test.each([4, 6])(
  'an agent that sends a frame of kind %i before it opened the stream is disconnected',
  async (kind) => {
    accept = () => new Promise(() => {})
    const opening = portal.open('one', noAbort)
    const closed = once(portalSocket, 'close')
    agentSocket.send(frame(kind, 1, Buffer.from('x')))
    await expect(opening).rejects.toMatchObject({ reason: 'unreachable' })
    await closed
  },
)

test('an agent that floods a stream with small frames loses only that stream', async () => {
  const floodedStream = await portal.open('flooded', noAbort)
  const other = await portal.open('other', noAbort)
  const closed = once(floodedStream, 'close')
  for (let i = 0; i < WAITING_FRAMES_MAX + 3; i++) agentSocket.send(frame(4, 1, Buffer.from('x')))
  await closed
  expect(floodedStream.readableLength).toBeLessThan(10)
  served[1]!.end('still here')
  expect((await readAll(other)).toString()).toBe('still here')
})

test('bytes written before the stream is opened, and empty writes, arrive in order', async () => {
  accept = async (_ticket, stream) => {
    stream.write('one ')
    stream.write('')
    await new Promise((resolve) => void setImmediate(resolve))
    stream.write('two')
    setImmediate(() => stream.end())
  }
  expect((await readAll(await portal.open('one', noAbort))).toString()).toBe('one two')
})
