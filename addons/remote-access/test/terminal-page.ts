import { WebSocket } from 'ws'
import type { MessageFromPage, MessageFromWatcher, MessageToPage, MessageToWatcher } from '../contract/remote.ts'
import { REMOTE_SOCKET, WATCH_SOCKET } from '../contract/remote-words.ts'
import { sessionCookie } from '@trainyard/platform/server/http/authenticate.ts'

interface Message {
  readonly kind: string
}

/** The WebSocket of a terminal page, without a browser. */
export interface SocketPage<From, To extends Message> {
  /** Returns everything printed so far, or since the last full screen if those are sent. */
  printed(): string
  send(message: From): void
  type(text: string | Buffer): void
  /** Waits for the first message of a kind. Rejects if the socket closes without one. */
  firstMessage<K extends To['kind']>(kind: K): Promise<Extract<To, { kind: K }>>
  lastMessage<K extends To['kind']>(kind: K): Extract<To, { kind: K }> | undefined
  /** True if the page confirms received bytes as shown. */
  acknowledges: boolean
  received(): number
  stopReading(): void
  resumeReading(): void
  readonly closed: Promise<number>
  close(): void
  /** Loses the connection: the socket ends without a close message. */
  cut(): void
}
export type TestPage = SocketPage<MessageFromPage, MessageToPage>
export type TestWatcher = SocketPage<MessageFromWatcher, MessageToWatcher>

export interface SocketOptions {
  /** URL of the API, ending in /api. */
  readonly url: string
  /** Session token; null: no cookie. */
  readonly token: string | null
  readonly origin?: string | null
}

/** Opens the socket. Rejects with the status if it is refused. */
export const openPage = (way: SocketOptions) => openSocket<MessageFromPage, MessageToPage>(way, REMOTE_SOCKET)
export const openWatcher = (way: SocketOptions) => openSocket<MessageFromWatcher, MessageToWatcher>(way, WATCH_SOCKET)

function openSocket<From extends Message, To extends Message>(
  { url, token, origin }: SocketOptions,
  path: string,
): Promise<SocketPage<From, To>> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, {
    headers: token === null ? {} : { cookie: `${sessionCookie(url.startsWith('https:'))}=${token}` },
    ...(origin !== null && { origin: origin ?? new URL(url).origin }),
  })
  const messages: To[] = []
  const waiting = new Set<() => void>()
  let printed = ''
  let received = 0
  const page: SocketPage<From, To> = {
    printed: () => printed,
    received: () => received,
    acknowledges: true,
    send: (message) => socket.send(JSON.stringify(message)),
    type: (text) => socket.send(Buffer.from(text), { binary: true }),
    firstMessage: async (kind) => {
      for (;;) {
        const found = messages.find((message) => message.kind === kind)
        if (found !== undefined) return found as never
        if (socket.readyState === WebSocket.CLOSED) throw new Error(`Closed after ${JSON.stringify(messages)}`)
        await new Promise<void>((resolve) => waiting.add(resolve))
      }
    },
    closed: new Promise((resolve) => socket.on('close', resolve)),
    lastMessage: (kind) => messages.findLast((message) => message.kind === kind) as never,
    stopReading: () => socket.pause(),
    resumeReading: () => socket.resume(),
    close: () => socket.close(),
    cut: () => socket.terminate(),
  }
  const wake = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      received += data.length
      printed += data.toString()
      if (page.acknowledges) socket.send(JSON.stringify({ kind: 'shown', bytes: data.length }))
    } else {
      const message = JSON.parse(data.toString()) as To
      messages.push(message)
      if (message.kind === 'screen') printed = ''
    }
    wake()
  })
  socket.on('close', wake)
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(page))
    socket.on('unexpected-response', (_request, reply) => reject(new Error(String(reply.statusCode))))
    socket.on('error', reject)
  })
}

export const openMessage = (machine: string, ticket: string, columns = 80): MessageFromPage => ({
  kind: 'open',
  machine,
  ticket,
  columns,
  rows: 24,
})
