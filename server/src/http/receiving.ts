import type { FastifyRequest } from 'fastify'
import { type Claimant, type Owner, Shares } from './shares.ts'

/** Bodies that arrive at once. A body that is sent together with its head takes no place. */
const BODIES = { user: 20, organisation: 200, address: 1_000, all: 5_000 }
/** Time for a body: some seconds, and its bytes at the rate of a slow connection (64 kB/s). */
const BODY_MS = 5_000
const BYTES_PER_MS = 64

interface Body {
  readonly claimant: Claimant
  cut(): void
}

/**
 * The requests whose body is incomplete. If a share is used up, the body of that share that has been arriving for the
 * longest time is cut, so that clients that stop half-way do not prevent others from sending.
 */
export class Receiving {
  readonly #shares = new Shares(BODIES)
  /** The oldest first. */
  readonly #bodies = new Set<Body>()
  readonly #deadlineFactor: number

  constructor(deadlineFactor: number) {
    this.#deadlineFactor = deadlineFactor
  }

  /** Admits the body of a request. Returns the function to call when the body has arrived or is no longer awaited. */
  start(request: FastifyRequest, claimant: Claimant): () => void {
    const body: Body = {
      claimant,
      cut: () => {
        end()
        cut(request)
      },
    }
    const release = this.#acquire(claimant)
    const timer = setTimeout(body.cut, (BODY_MS + bytesOf(request) / BYTES_PER_MS) * this.#deadlineFactor).unref()
    const end = () => {
      clearTimeout(timer)
      this.#bodies.delete(body)
      release()
    }
    this.#bodies.add(body)
    return end
  }

  #acquire(claimant: Claimant): () => void {
    for (;;) {
      const acquired = this.#shares.acquire(claimant)
      if (typeof acquired === 'function') return acquired
      this.#cutOldest(acquired, claimant)
    }
  }

  #cutOldest(owner: Owner | 'all', claimant: Claimant): void {
    for (const body of this.#bodies) {
      if (owner === 'all' || body.claimant[owner] === claimant[owner]) return body.cut()
    }
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
