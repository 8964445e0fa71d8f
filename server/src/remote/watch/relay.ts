import { once } from 'node:events'
import { WebSocket } from 'ws'
import { TERMINAL_MESSAGE_BYTES } from '@trainyard/contract/words/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { conflict } from '../../core/errors.ts'
import type { WatcherRequest } from './watcher.ts'

/** Header of requests that another process of the portal has relayed. They are not relayed again. */
export const RELAYED = 'x-trainyard-relayed'
const DIAL_MS = 5_000
/** Maximum buffered bytes of a page's messages for the other process. */
const WAITING_MOST = 4 * TERMINAL_MESSAGE_BYTES
/** Bytes buffered for the page at which the other process is paused and resumed. */
const AHEAD_MOST = 512 * 1024
const AHEAD_AGAIN = 64 * 1024

/**
 * Relays the page of a watcher or learner to the process that holds the screen. That process checks the session and
 * ticket of the page like
 * any others: processes do not trust each other more than they trust a page.
 * @throws Problem conflict if the process does not respond
 */
export async function relay(
  { socket, holder, cookie }: WatcherRequest,
  to: string,
  path: string,
  asked: string | Buffer,
): Promise<void> {
  const address = new URL(`/api${path}`, to)
  address.protocol = address.protocol.replace('http', 'ws')
  const far = new WebSocket(address, {
    origin: new URL(to).origin,
    headers: { cookie, [RELAYED]: '1', 'x-forwarded-for': holder.address },
    handshakeTimeout: DIAL_MS,
    perMessageDeflate: false,
  })
  far.on('error', () => far.terminate())
  try {
    await once(far, 'open')
  } catch {
    throw conflict(WATCHING.processUnreachable)
  }
  const goOn = () => {
    if (far.isPaused && socket.bufferedAmount < AHEAD_AGAIN) far.resume()
  }
  far.on('message', (data, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(data as Buffer, { binary: isBinary }, goOn)
    if (socket.bufferedAmount > AHEAD_MOST) far.pause()
  })
  far.on('close', () => socket.close(1000))
  socket.on('message', (data, isBinary) => {
    if (far.bufferedAmount > WAITING_MOST) socket.terminate()
    else if (far.readyState === WebSocket.OPEN) far.send(data as Buffer, { binary: isBinary })
  })
  socket.on('close', () => far.close(1000))
  if (socket.readyState !== WebSocket.OPEN) return far.close(1000)
  far.send(asked)
}
