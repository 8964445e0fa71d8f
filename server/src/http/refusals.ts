import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Call } from '@trainyard/contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import type { RefusalSubject } from '../core/handler.ts'
import { type AuditEntry, writeAudit } from '../core/audit.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/errors.ts'

/** Maximum audit rows per minute for one user or network, in each process. */
export const ROWS_PER_MINUTE = 200
export const TOTAL_ROWS_PER_MINUTE = 1_000
const MINUTE_MS = 60_000

export interface RefusedCall {
  readonly name: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly address: string
  readonly request: Record<string, unknown>
  readonly concerns?: RefusalSubject | undefined
}

interface Batch {
  readonly entries: AuditEntry[]
  readonly written: Promise<void>
}

/** Audits every 403, and refusals of public calls. In a flood, further refusals are only counted. */
export class RefusalAudit {
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  #rows = new Map<string, number>()
  #rowsInAll = 0
  readonly #overflow = new Map<string, { entry: AuditEntry; count: number }>()
  #minuteEnd: NodeJS.Timeout | null = null
  #next: Batch | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db, onBug: (bug: unknown) => void) {
    this.#db = db
    this.#onBug = onBug
  }

  /** @param roles roles of the call; null for routes outside the contract, of which only 403s are audited */
  async write(roles: Call['roles'] | null, error: unknown, refused: RefusedCall): Promise<void> {
    if (!(error instanceof Problem) || !isRefusal(roles, error)) return
    const { name: call, requestId, actor, address, request, concerns } = refused
    const entry = { call, requestId, actor, address, refused: error.code, request: {} }
    this.#minuteEnd ??= setTimeout(() => void this.#endMinute(), MINUTE_MS).unref()
    const caller = actor?.id ?? networkOf(address)
    const before = this.#rows.get(caller) ?? 0
    if (before >= ROWS_PER_MINUTE || this.#rowsInAll >= TOTAL_ROWS_PER_MINUTE) return this.#count(caller, entry)
    this.#rows.set(caller, before + 1)
    this.#rowsInAll += 1
    await this.#add([roles === 'anyone' ? { ...entry, ...claimOf(concerns, request) } : { ...entry, request }])
  }

  async close(): Promise<void> {
    await this.#endMinute()
  }

  #count(caller: string, entry: AuditEntry): void {
    const { call, requestId, refused } = entry
    const hasOwnRow = this.#rows.has(caller) && this.#overflow.size < TOTAL_ROWS_PER_MINUTE
    const key = [call, refused, hasOwnRow ? caller : ''].join(' ')
    const one = hasOwnRow ? entry : { call, requestId, refused, actor: null, request: {} }
    this.#overflow.set(key, { entry: one, count: (this.#overflow.get(key)?.count ?? 0) + 1 })
  }

  async #endMinute(): Promise<void> {
    if (this.#minuteEnd !== null) clearTimeout(this.#minuteEnd)
    this.#minuteEnd = null
    this.#rows = new Map()
    this.#rowsInAll = 0
    const overflowRows = [...this.#overflow.values()]
    this.#overflow.clear()
    await this.#add(overflowRows.map(({ entry, count }) => ({ ...entry, request: { more: count } })))
  }

  /** Adds rows to the next batch, so that refusals use one connection at a time and leave the pool to other calls. */
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

const claimOf = (concerns: RefusalSubject | undefined, request: Record<string, unknown>) =>
  concerns === undefined
    ? { claimed: claimedIn(request) }
    : { claimed: concerns.email, organisation: concerns.organisation }

/**
 * Returns the e-mail address that the request claims. Other text is dropped, because it may be a password typed into
 * the wrong field.
 */
function claimedIn({ body }: Record<string, unknown>): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' && isEmail(normaliseEmail(email)) ? normaliseEmail(email) : null
}
