import type { FastifyRequest } from 'fastify'
import { type Claimant, YieldingShares } from './shares.ts'

/** Bodies that arrive at once. A body that is sent together with its head takes no place. */
const BODIES = { user: 20, organisation: 200, address: 1_000, all: 5_000 }
/** Time for a body: some seconds, and its bytes at the rate of a slow connection (64 kB/s). */
const BODY_MS = 5_000
const BYTES_PER_MS = 64

/**
 * The requests whose body is incomplete. If a share is used up, the body of that share that has been arriving for the
 * longest time is cut, so that clients that stop half-way do not prevent others from sending.
 */
export class Receiving {
  readonly #shares = new YieldingShares(BODIES)
  readonly #deadlineFactor: number

  constructor(deadlineFactor: number) {
    this.#deadlineFactor = deadlineFactor
  }

  /** Admits the body of a request. Returns the function to call when the body has arrived or is no longer awaited. */
  start(request: FastifyRequest, claimant: Claimant): () => void {
    const release = this.#shares.acquire(claimant, () => {
      clearTimeout(timer)
      cut(request)
    })
    const end = () => {
      clearTimeout(timer)
      release()
    }
    const timer = setTimeout(
      () => {
        end()
        cut(request)
      },
      (BODY_MS + bytesOf(request) / BYTES_PER_MS) * this.#deadlineFactor,
    ).unref()
    return end
  }
}

function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? Infinity), routeOptions.bodyLimit ?? 0)
}

/** Answers as Node does when its own time limit of a request is reached, and closes the connection. */
function cut({ raw: { socket } }: FastifyRequest): void {
  if (socket.destroyed) return
  socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
}
