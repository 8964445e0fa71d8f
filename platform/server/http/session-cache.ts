import type { Connection } from '../db/client.ts'
import { listen, type Listening } from '../db/listen.ts'
import { SESSION_CHANNEL } from '../core/session-changes.ts'

/** Maximum age of a cached session in ms, if no notification arrives. */
const AGE_MAX_MS = 2_000
/** Maximum number of cached sessions. */
const SIZE_MAX = 10_000

interface Entry<Session> {
  readonly session: Session
  readonly until: number
}

/**
 * Sessions that were valid at most two seconds ago. The cache is cleared when PostgreSQL reports a change of sessions,
 * users, organisations, instructors or second factors, and after each change that this process makes. While the process
 * cannot receive notifications, nothing is cached.
 */
export class SessionCache<Session> {
  readonly #entries = new Map<string, Entry<Session>>()
  readonly #now: () => number
  #isListening = false
  /** Number of clearings. A session that was read before a clearing must not be stored after it. */
  #clearings = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Follows the notifications of a database until the result is closed. */
  follow(connection: Connection): Listening {
    return listen(connection, {
      channels: [SESSION_CHANNEL],
      onNotification: () => this.clear(),
      onConnect: () => this.start(),
      onLost: () => this.stop(),
    })
  }

  start(): void {
    this.clear()
    this.#isListening = true
  }

  stop(): void {
    this.#isListening = false
    this.clear()
  }

  clear(): void {
    this.#clearings += 1
    this.#entries.clear()
  }

  /** Returns the cached session, or reads it and stores it if `mayStore`. */
  async find(
    key: string,
    read: () => Promise<Session | null>,
    mayStore: (session: Session) => boolean,
  ): Promise<Session | null> {
    const cached = this.#entries.get(key)
    if (cached !== undefined && cached.until > this.#now()) return cached.session
    const [clearings, readAt] = [this.#clearings, this.#now()]
    const session = await read()
    if (session === null || !this.#isListening || clearings !== this.#clearings || !mayStore(session)) return session
    if (this.#entries.size >= SIZE_MAX) this.#entries.clear()
    this.#entries.set(key, { session, until: readAt + AGE_MAX_MS })
    return session
  }
}
