import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Call } from '@trainyard/contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import type { Concerns } from '../core/handler.ts'
import { type AuditEntry, writeAudit } from '../core/audit.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/errors.ts'

/** Rows that the refusals of one person or network may leave within a minute, in each process; those beyond are counted. */
export const ROWS_A_MINUTE = 200
/** Rows that all refusals together may leave within a minute, in each process. */
export const ROWS_A_MINUTE_IN_ALL = 1_000
const MINUTE_MS = 60_000

export interface Refused {
  readonly name: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly address: string
  readonly asked: Record<string, unknown>
  /** Left out where only who asks, and what for, says it. */
  readonly concerns?: Concerns | undefined
}

interface Batch {
  readonly entries: AuditEntry[]
  readonly written: Promise<void>
}

/**
 * Writes down who was refused what, from where: every 403, and of what anyone may ask (signing in, setting a password,
 * following an invitation) all but what could not be read. Of a flood it writes the first, and at the end of the minute
 * how many more there were; no reply waits for more than those first ones.
 */
export class RefusalAudit {
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  #rows = new Map<string, number>()
  #rowsInAll = 0
  readonly #more = new Map<string, { entry: AuditEntry; count: number }>()
  #minuteEnd: NodeJS.Timeout | null = null
  /** The batch that is collected while the last one is being written. */
  #next: Batch | null = null
  #last: Promise<void> = Promise.resolve()

  /** @param onBug is told what kept rows from being written */
  constructor(db: Db, onBug: (bug: unknown) => void) {
    this.#db = db
    this.#onBug = onBug
  }

  /** @param roles of the call; null: it is none of the contract's, and its 403s alone are written down */
  async write(roles: Call['roles'] | null, error: unknown, refused: Refused): Promise<void> {
    if (!(error instanceof Problem) || !isRefusal(roles, error)) return
    const { name: call, requestId, actor, address, asked, concerns } = refused
    const entry = { call, requestId, actor, address, refused: error.code, asked: {} }
    this.#minuteEnd ??= setTimeout(() => void this.#endMinute(), MINUTE_MS).unref()
    const who = actor?.id ?? networkOf(address)
    const before = this.#rows.get(who) ?? 0
    if (before >= ROWS_A_MINUTE || this.#rowsInAll >= ROWS_A_MINUTE_IN_ALL) return this.#count(who, entry)
    this.#rows.set(who, before + 1)
    this.#rowsInAll += 1
    await this.#add([roles === 'anyone' ? { ...entry, ...claimOf(concerns, asked) } : { ...entry, asked }])
  }

  /** Writes down what is still only counted. */
  async close(): Promise<void> {
    await this.#endMinute()
  }

  /** Counts one more of the same; those of people and networks that have no row at all are counted together. */
  #count(who: string, entry: AuditEntry): void {
    const { call, requestId, refused } = entry
    const apart = this.#rows.has(who) && this.#more.size < ROWS_A_MINUTE_IN_ALL
    const key = [call, refused, apart ? who : ''].join(' ')
    const one = apart ? entry : { call, requestId, refused, actor: null, asked: {} }
    this.#more.set(key, { entry: one, count: (this.#more.get(key)?.count ?? 0) + 1 })
  }

  async #endMinute(): Promise<void> {
    if (this.#minuteEnd !== null) clearTimeout(this.#minuteEnd)
    this.#minuteEnd = null
    this.#rows = new Map()
    this.#rowsInAll = 0
    const more = [...this.#more.values()]
    this.#more.clear()
    await this.#add(more.map(({ entry, count }) => ({ ...entry, asked: { more: count } })))
  }

  /** Rows that come while others are being written go together, over one connection: the rest are everybody's. */
  async #add(entries: readonly AuditEntry[]): Promise<void> {
    if (entries.length === 0) return
    this.#next ??= this.#batchAfter(this.#last)
    this.#next.entries.push(...entries)
    await this.#next.written
  }

  #batchAfter(others: Promise<void>): Batch {
    const entries: AuditEntry[] = []
    const written = others.then(async () => {
      this.#next = null
      await writeAudit(this.#db, ...entries).catch(this.#onBug)
    })
    this.#last = written
    return { entries, written }
  }
}

const isRefusal = (roles: Call['roles'] | null, { status, code }: Problem): boolean =>
  status === 403 || (roles === 'anyone' && ['signedOut', 'secondFactor', 'notFound', 'tooMany'].includes(code))

const claimOf = (concerns: Concerns | undefined, asked: Record<string, unknown>) =>
  concerns === undefined
    ? { claimed: claimedIn(asked) }
    : { claimed: concerns.email, organisation: concerns.organisation }

/** Whom somebody said to be who is not signed in; nothing where it is no e-mail: it may be a password typed too early. */
function claimedIn({ body }: Record<string, unknown>): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' && isEmail(normaliseEmail(email)) ? normaliseEmail(email) : null
}
