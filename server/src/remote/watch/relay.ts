import { once } from 'node:events'
import { WebSocket } from 'ws'
import { TERMINAL_MESSAGE_BYTES } from '@trainyard/contract/words/remote.ts'
import { WATCHING } from '@trainyard/contract/words/watching.ts'
import { conflict } from '../../core/errors.ts'
import type { WatcherRequest } from './watcher.ts'

/** Says that a request was sent on by a process of the portal: it is not sent on again. */
export const RELAYED = 'x-trainyard-relayed'
const DIAL_MS = 5_000
/** A page's messages that wait for the other process. */
const WAITING_MOST = 4 * TERMINAL_MESSAGE_BYTES
/** A picture's bytes on their way to the page, at which the other process is held, and goes on again. */
const AHEAD_MOST = 512 * 1024
const AHEAD_AGAIN = 64 * 1024

/**
 * Has the process that holds a screen serve a page of somebody who watches it, or its learner's. The page comes to it with its own
 * session and ticket, which are judged there as anybody's: processes have no more trust in each other than in a page.
 * @throws Problem conflict when it does not answer
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
    throw conflict(WATCHING.elsewhere)
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
