import { isEmail, normaliseEmail } from '../../contract/words/email.ts'
import type { Call } from '../../contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import type { RefusalSubject } from '../core/handler.ts'
import { type AuditEntry, writeAudit } from '../core/audit.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/errors.ts'

/**
 * Maximum audit rows per minute in each process: for one user or network, for the users of one organisation together, and
 * for all callers who are not signed in.
 */
export const ROWS_PER_MINUTE = 200
export const ORGANISATION_ROWS_PER_MINUTE = 400
export const STRANGER_ROWS_PER_MINUTE = 1_000
const MINUTE_MS = 60_000
/** Callers who are not signed in and claim an address. Their rows show whose password is guessed. */
const CLAIMING = 'claiming'

export interface RefusedCall {
  readonly name: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly address: string
  readonly request: Record<string, unknown>
  readonly concerns?: RefusalSubject | undefined
  /** True for calls that only read. Their refusals are counted. */
  readonly isRead?: boolean
}

/** The refusals of one minute, of one organisation or of callers who are not signed in. */
interface Minute {
  readonly rowsMax: number
  rows: number
  readonly rowsOf: Map<string, number>
  /** Refusals without an own row. */
  readonly counted: Map<string, { readonly entry: AuditEntry; count: number }>
}

interface Batch {
  readonly entries: AuditEntry[]
  readonly written: Promise<void>
}

/**
 * Audits every 403, and refusals of public calls. Refused reads, and further refusals in a flood, are counted: a minute's
 * refusals of a call and a user share one row.
 */
export class RefusalAudit {
  readonly #db: Db
  readonly #onBug: (bug: unknown) => void
  /** By organisation; of callers who are not signed in, '' or CLAIMING if they claim an e-mail address. */
  #minutes = new Map<string, Minute>()
  #minuteEnd: NodeJS.Timeout | null = null
  #next: Batch | null = null
  #last: Promise<void> = Promise.resolve()

  constructor(db: Db, onBug: (bug: unknown) => void) {
    this.#db = db
    this.#onBug = onBug
  }

  /** @param roles roles of the call; null for routes outside the contract, of which only 403s are audited */
  async write(roles: Call['for'] | null, error: unknown, refused: RefusedCall): Promise<void> {
    if (!(error instanceof Problem) || !isRefusal(roles, error)) return
    const { name: call, requestId, actor, address, request, concerns, isRead = false } = refused
    const claim = roles === 'anyone' ? claimOf(concerns, request) : null
    const entry = { call, requestId, actor, address, refused: error.code, request: {}, ...claim }
    this.#minuteEnd ??= setTimeout(() => void this.#endMinute(), MINUTE_MS).unref()
    const claimed = actor === null ? (claim?.claimed ?? null) : null
    const minute = this.#minuteOf(actor, concerns?.organisation ?? (claimed === null ? '' : CLAIMING))
    const caller = actor?.id ?? networkOf(address)
    const before = minute.rowsOf.get(caller) ?? 0
    if (isRead || before >= ROWS_PER_MINUTE || minute.rows >= minute.rowsMax) {
      return count(minute, { caller: claimed ?? (isRead || before > 0 ? caller : null), entry })
    }
    minute.rowsOf.set(caller, before + 1)
    minute.rows += 1
    await this.#add([claim === null ? { ...entry, request } : entry])
  }

  async close(): Promise<void> {
    await this.#endMinute()
  }

  /** @param of organisation that a call without a user concerns, or the kind of its caller */
  #minuteOf(actor: Actor | null, of: string): Minute {
    const tenant = actor === null ? of : (actor.organisation?.id ?? actor.id)
    const known = this.#minutes.get(tenant)
    if (known !== undefined) return known
    const rowsMax = ['', CLAIMING].includes(tenant) ? STRANGER_ROWS_PER_MINUTE : ORGANISATION_ROWS_PER_MINUTE
    const minute = { rowsMax, rows: 0, rowsOf: new Map(), counted: new Map() }
    this.#minutes.set(tenant, minute)
    return minute
  }

  async #endMinute(): Promise<void> {
    if (this.#minuteEnd !== null) clearTimeout(this.#minuteEnd)
    this.#minuteEnd = null
    const counted = [...this.#minutes.values()].flatMap((minute) => [...minute.counted.values()])
    this.#minutes = new Map()
    await this.#add(counted.map(({ entry, count }) => ({ ...entry, request: { more: count } })))
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

/** Counts a refusal without an own row. Callers beyond the maximum number of rows are counted together. */
function count(
  minute: Minute,
  { caller, entry }: { readonly caller: string | null; readonly entry: AuditEntry },
): void {
  const { call, requestId, refused, actor } = entry
  const own = [call, refused, caller].join(' ')
  const isOwn = caller !== null && (minute.counted.has(own) || minute.counted.size < minute.rowsMax)
  const key = isOwn ? own : [call, refused].join(' ')
  const organisation = actor?.organisation?.id ?? entry.organisation
  const shared = { call, requestId, refused: refused!, actor: null, request: {}, ...(organisation && { organisation }) }
  const counted = minute.counted.get(key)
  if (counted === undefined) minute.counted.set(key, { entry: isOwn ? entry : shared, count: 1 })
  else counted.count += 1
}

const isRefusal = (roles: Call['for'] | null, { status, code }: Problem): boolean =>
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
