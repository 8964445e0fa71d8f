import { WebSocket } from 'ws'
import type { FromPage, ToPage } from '@trainyard/contract/calls/remote.ts'
import { sessionCookie } from '../src/http/authenticate.ts'

/** The actions of the lab remote-access page, without a browser. */
export interface TestPage {
  /** Everything printed so far. */
  printed(): string
  send(message: FromPage): void
  type(text: string | Buffer): void
  /** Waits for the first message of a kind; fails when the socket closes without one. */
  told<K extends ToPage['kind']>(kind: K): Promise<Extract<ToPage, { kind: K }>>
  /** Bytes that were printed, told to the gateway as shown, or held back. */
  showing: boolean
  received(): number
  readonly closed: Promise<number>
  close(): void
}

export interface Way {
  /** The API's address, ending in /api. */
  readonly url: string
  /** The session's token; null: no cookie. */
  readonly token: string | null
  readonly origin?: string | null
}

/** Opens the socket; rejects with the status where it is refused. */
export function openPage({ url, token, origin }: Way): Promise<TestPage> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/remote/socket`, {
    headers: token === null ? {} : { cookie: `${sessionCookie(url.startsWith('https:'))}=${token}` },
    ...(origin !== null && { origin: origin ?? new URL(url).origin }),
  })
  const messages: ToPage[] = []
  const waiting = new Set<() => void>()
  let printed = ''
  let received = 0
  const page: TestPage = {
    printed: () => printed,
    received: () => received,
    showing: true,
    send: (message) => socket.send(JSON.stringify(message)),
    type: (text) => socket.send(Buffer.from(text), { binary: true }),
    told: async (kind) => {
      for (;;) {
        const found = messages.find((message) => message.kind === kind)
        if (found !== undefined) return found as never
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`Closed after ${JSON.stringify(messages)}`)
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    closed: new Promise((resolve) => socket.on('close', resolve)),
    close: () => socket.close(),
  }
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      received += data.length
      printed += data.toString()
      if (page.showing) page.send({ kind: 'shown', bytes: data.length })
    } else messages.push(JSON.parse(data.toString()) as ToPage)
    wake()
  })
  socket.on('close', wake)
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(page))
    socket.on('unexpected-response', (_request, reply) => reject(new Error(String(reply.statusCode))))
    socket.on('error', reject)
  })
}

export const openMessage = (machine: string, ticket: string, columns = 80): FromPage => ({
  kind: 'open',
  machine,
  ticket,
  columns,
  rows: 24,
})
