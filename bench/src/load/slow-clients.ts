import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../api-process.ts'

/** Kinds of clients that occupy a connection for a long time. */
export type SlowClient = 'idle' | 'reads slowly' | 'writes slowly'

const WRITE_EVERY_MS = 1_000
/** Connections that are opened at once, so that the queue of the listening socket does not overflow. */
const AT_ONCE = 100

/**
 * Opens connections of slow clients: idle ones send nothing; slow readers request a list and never read the reply; slow
 * writers send one byte of a body per second. Returns the number of accepted connections, and a function that counts
 * the connections that are still open.
 */
export async function openSlowClients(
  { url }: Api,
  kind: SlowClient,
  count: number,
  request: { readonly path: string; readonly session: string },
): Promise<{ readonly opened: number; stillOpen(): number; close(): void }> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const ending = new AbortController()
  const open = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.once('connect', () => {
        sockets.push(socket)
        send(socket)
        resolve()
      })
      socket.once('error', () => resolve())
    })
  const send = (socket: Socket) => {
    const headers = `Host: ${hostname}:${port}\r\nAuthorization: Bearer ${request.session}\r\n`
    if (kind === 'reads slowly') {
      socket.pause()
      socket.write(`GET /api${request.path} HTTP/1.1\r\n${headers}\r\n`)
    } else if (kind === 'writes slowly') {
      socket.resume()
      const length = 100_000
      socket.write(
        `POST /api/user/login HTTP/1.1\r\n${headers}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`,
      )
      void sendSlowly(socket, ending.signal)
    } else socket.resume()
  }
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, open))
  }
  return {
    opened: sockets.length,
    stillOpen: () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length,
    close() {
      ending.abort()
      for (const socket of sockets) socket.destroy()
    },
  }
}

async function sendSlowly(socket: Socket, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && socket.writable) {
    socket.write(' ')
    await pause(WRITE_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
