import { once } from 'node:events'
import { WebSocket } from 'ws'
import { TERMINAL_MESSAGE_BYTES } from '../../contract/remote-words.ts'
import { WATCHING } from '../../contract/watching.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { WatcherRequest } from './watcher.ts'

/** Header of requests that another process of the portal relayed. They are not relayed again. */
export const RELAYED = 'x-trainyard-relayed'
/** Code of a connection that ended without a close message, from RFC 6455, section 7.1.5. */
export const LOST_CODE = 1006
const CONNECT_TIMEOUT_MS = 5_000
const MAX_WAITING_BYTES = 4 * TERMINAL_MESSAGE_BYTES
const MAX_BUFFERED_BYTES = 512 * 1024
const RESUME_BYTES = 64 * 1024

/**
 * Relays a request. The other process checks session and ticket again, because processes do not trust each other.
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
  const other = new WebSocket(address, {
    origin: new URL(to).origin,
    headers: { cookie, [RELAYED]: '1', 'x-forwarded-for': holder.address },
    handshakeTimeout: CONNECT_TIMEOUT_MS,
    perMessageDeflate: false,
  })
  other.on('error', () => other.terminate())
  try {
    await once(other, 'open')
  } catch {
    throw conflict(WATCHING.processUnreachable)
  }
  const resume = () => {
    if (other.isPaused && socket.bufferedAmount < RESUME_BYTES) other.resume()
  }
  other.on('message', (data, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(data as Buffer, { binary: isBinary }, resume)
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) other.pause()
  })
  other.on('close', () => socket.close(1000))
  socket.on('message', (data, isBinary) => {
    if (other.bufferedAmount > MAX_WAITING_BYTES) socket.terminate()
    else if (other.readyState === WebSocket.OPEN) other.send(data as Buffer, { binary: isBinary })
  })
  let isInvalid = false
  socket.on('error', () => (isInvalid = true))
  // A page that has lost its connection sends no close message, and keeps its shell.
  socket.on('close', (code) => (code === LOST_CODE && !isInvalid ? other.terminate() : other.close(1000)))
  if (socket.readyState !== WebSocket.OPEN) return other.close(1000)
  other.send(asked)
}
