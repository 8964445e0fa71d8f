import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { ApiError, sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { newId } from '@trainyard/platform/web/api/new-id.ts'
import { REFUSED_MS } from '@trainyard/platform/web/api/refusals.ts'
import { hexOf, sha256 } from '@trainyard/platform/web/api/sha256.ts'
import type { LabUser, LabUserSource, NewLabUser } from '../lab-users.ts'
import { type Entry, usernameIn } from './plan.ts'

/** Result for one row. `existing`: the user exists, but was not created from this file. */
export type Outcome = { readonly kind: 'created' } | { readonly kind: 'existing' | 'failed'; readonly reason: string }

interface CreateAll {
  readonly entries: readonly Entry[]
  /**
   * Lines of existing usernames. These lines are sent too, because the reply states whether an earlier run of this file
   * created them.
   */
  readonly existingLines: ReadonlySet<number>
  readonly source: LabUserSource<LabUser>
  readonly outcomes: ReadonlyMap<number, Outcome>
  readonly settle: (line: number, outcome: Outcome) => void
  /** Stops between two users, after the reply to the current call. */
  readonly signal: AbortSignal
}

const TRIES = 5
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000

/**
 * Creates users one at a time. Returns false if stopped. A user who was deleted since an earlier run is created again.
 * @throws ApiError if the portal is unreachable or asks to wait; the rest can be retried later
 */
export async function createAll({
  entries,
  existingLines,
  source,
  outcomes,
  settle,
  signal,
}: CreateAll): Promise<boolean> {
  const list = source.list.key.join('.')
  const create = async ({ line, user }: Entry, idempotencyKey: string) => {
    try {
      await withRetries(() => source.create(user, { idempotencyKey }), signal)
      return settle(line, { kind: 'created' })
    } catch (error) {
      if (!(error instanceof ApiError) || mustStop(error)) throw error
      const kind = error.status === 409 && existingLines.has(line) ? 'existing' : 'failed'
      return settle(line, { kind, reason: sentenceOf(error, ALERTS.bulkUserFailed) })
    }
  }
  for (const entry of entries) {
    if (outcomes.has(entry.line)) continue
    if (signal.aborted) return false
    await create(entry, await keyOf(list, entry.user))
  }
  const { users } = await withRetries(() => source.list(), signal)
  const existing = new Set(users.filter(({ status }) => status !== 'Ending').map(({ email }) => usernameIn(email)))
  for (const entry of entries) {
    if (outcomes.get(entry.line)?.kind !== 'created' || existing.has(entry.user.username.toLowerCase())) continue
    if (signal.aborted) return false
    await create(entry, newId())
  }
  return true
}

async function withRetries<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof ApiError) || !isRetryable(error) || attempt === TRIES || signal.aborted) throw error
      const wanted = error.status === 429 ? REFUSED_MS : PAUSE_MS * 2 ** (attempt - 1)
      const pause = Math.max(wanted, (error.retryAfter ?? 0) * 1_000)
      await sleep(Math.min(pause, PAUSE_MAX_MS), signal)
    }
  }
}

const isRetryable = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500
const mustStop = ({ status }: ApiError): boolean => status === 0 || status === 401 || status === 429 || status === 503

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })

/** Derives the key from the user, so that a repeated run, also on another computer, creates no user twice. */
async function keyOf(list: string, { username, personalEmail, duration }: NewLabUser): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([list, username, personalEmail, duration]))
  return `bulk ${hexOf(await sha256(bytes))}`
}
