import { isEmail, normaliseEmail } from '@trainyard/contract/words/email.ts'
import type { Call } from '@trainyard/contract/call.ts'
import type { Db } from '../db/schema.ts'
import type { Actor } from '../core/actor.ts'
import { writeAudit } from '../core/audit.ts'
import { networkOf } from '../core/network.ts'
import { Problem } from '../core/errors.ts'

/** Rows that the refusals of one call to one person or network may leave within a minute, in each process. */
export const ROWS_A_MINUTE = 300

export interface Refused {
  readonly name: string
  readonly requestId: string
  readonly actor: Actor | null
  readonly address: string
  readonly asked: Record<string, unknown>
}

/**
 * Writes down who was refused what, from where: every 403, and of what anyone may ask (signing in, setting a password,
 * following an invitation) all but what could not be read. It never stands in the way of the reply.
 */
export class RefusalAudit {
  readonly #db: Db
  #minute = 0
  #rows = new Map<string, number>()

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * @param roles of the call; null: it is none of the contract's, and its 403s alone are written down
   * @param onFault is told what kept the row from being written
   */
  async write(
    roles: Call['roles'] | null,
    error: unknown,
    refused: Refused,
    onFault: (fault: unknown) => void,
  ): Promise<void> {
    if (!(error instanceof Problem) || !isRefusal(roles, error) || !this.#hasRoom(error, refused)) return
    const { name: call, requestId, actor, address, asked } = refused
    try {
      const claimed = roles === 'anyone' ? claimedIn(asked) : null
      const entry = { call, requestId, actor, address, refused: error.code, claimed }
      await writeAudit(this.#db, { ...entry, asked: roles === 'anyone' ? {} : asked })
    } catch (fault) {
      onFault(fault)
    }
  }

  #hasRoom({ code }: Problem, { name, actor, address }: Refused): boolean {
    const minute = Math.floor(performance.now() / 60_000)
    if (minute !== this.#minute) this.#rows = new Map()
    this.#minute = minute
    const key = [name, code, actor?.id ?? networkOf(address)].join(' ')
    const rows = (this.#rows.get(key) ?? 0) + 1
    this.#rows.set(key, rows)
    return rows <= ROWS_A_MINUTE
  }
}

const isRefusal = (roles: Call['roles'] | null, { status, code }: Problem): boolean =>
  status === 403 || (roles === 'anyone' && ['signedOut', 'notFound', 'tooMany'].includes(code))

/** Whom somebody said to be who is not signed in; nothing where it is no e-mail: it may be a password typed too early. */
function claimedIn({ body }: Record<string, unknown>): string | null {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : null
  return typeof email === 'string' && isEmail(normaliseEmail(email)) ? normaliseEmail(email) : null
}
