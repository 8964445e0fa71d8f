import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { ApiError, sentenceOf } from '#src/api/error.ts'
import type { LabUser, LabUserSource, NewLabUser } from '../lab-users.ts'
import { type Entry, usernameIn } from './plan.ts'

/** The result for one user: made, there before any run of this list, or failed, with the reason. */
export type Outcome = { readonly kind: 'made' } | { readonly kind: 'there' | 'failed'; readonly reason: string }

interface CreateAll {
  readonly entries: readonly Entry[]
  /** Lines whose username exists already: they are asked for too, and the server tells an earlier run's from others. */
  readonly there: ReadonlySet<number>
  readonly source: LabUserSource<LabUser>
  /** The results so far; a line that has one is not asked for again. */
  readonly outcomes: ReadonlyMap<number, Outcome>
  readonly settle: (line: number, outcome: Outcome) => void
  /** Stops between two users: the answer to the last call is waited for. */
  readonly signal: AbortSignal
}

const TRIES = 5
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

/**
 * Makes users one at a time. At the end the list of users is read: a user whom an old answer called made, and who was
 * deleted since, is made anew.
 * @returns true at the end of the list; false: stopped by the signal
 * @throws ApiError the portal can't be reached or asks to wait: the rest may be tried later
 */
export async function createAll({ entries, there, source, outcomes, settle, signal }: CreateAll): Promise<boolean> {
  const list = source.list.key.join('.')
  const make = async ({ line, user }: Entry, idempotencyKey: string) => {
    try {
      await patiently(() => source.create(user, { idempotencyKey }), signal)
      return settle(line, { kind: 'made' })
    } catch (error) {
      if (!(error instanceof ApiError) || mustWait(error)) throw error
      const kind = error.status === 409 && there.has(line) ? 'there' : 'failed'
      return settle(line, { kind, reason: sentenceOf(error, ALERTS.bulkUserFailed) })
    }
  }
  for (const entry of entries) {
    if (outcomes.has(entry.line)) continue
    if (signal.aborted) return false
    await make(entry, await keyOf(list, entry.user))
  }
  const { users } = await patiently(() => source.list(), signal)
  const existing = new Set(users.filter(({ status }) => status !== 'Ending').map(({ email }) => usernameIn(email)))
  for (const entry of entries) {
    if (outcomes.get(entry.line)?.kind !== 'made' || existing.has(entry.user.username.toLowerCase())) continue
    if (signal.aborted) return false
    await make(entry, crypto.randomUUID())
  }
  return true
}

/** Tries again where that may help, after the pause that the server asked for. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || !mayHelp(error) || tries === TRIES || signal.aborted) throw error
      const pause = Math.max(PAUSE_MS * 2 ** (tries - 1), (error.retryAfter ?? 0) * 1_000)
      await untilOver(Math.min(pause, PAUSE_MAX_MS), signal)
    }
  }
}

/** No answer, too many calls, or an error of the server. */
const mayHelp = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500
/** The next user would get the same error. */
const mustWait = ({ status }: ApiError): boolean => status === 0 || status === 401 || status === 429 || status === 503

const untilOver = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal.addEventListener('abort', over)
  })

/**
 * The same user has the same idempotency key on every computer and in every file: a call that an earlier run made
 * is answered as it was then, and makes no user twice.
 */
async function keyOf(list: string, { username, personalEmail, duration }: NewLabUser): Promise<string> {
  const wish = new TextEncoder().encode(JSON.stringify([list, username, personalEmail, duration]))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', wish))
  return `bulk ${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
