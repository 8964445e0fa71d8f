import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { ABANDONED_SECONDS } from './open.ts'

/** A learner's own terminal that is open now: of several the one opened last. */
export interface OwnTerminal {
  readonly id: string
  /** Where the process that holds it is reached; null: nobody said. */
  readonly heldAt: string | null
}

const ofLearner = sql`from remote_session r join machine m on m.id = r.machine_id and m.email = r.email
  where r.closed_at is null and r.kind = 'terminal' and r.seen_at > portal_now() - make_interval(secs => ${ABANDONED_SECONDS})`
const last = sql`order by r.opened_at desc limit 1`

export async function ownTerminal(db: Db | Tx, machine: MachineId): Promise<OwnTerminal | null> {
  const { rows } = await sql<OwnTerminal>`
    select r.id, r.held_at as "heldAt" ${ofLearner} and m.id = ${machine} ${last}`.execute(db)
  return rows[0] ?? null
}

/** Where the terminal of a machine's learner is held; the socket there judges who may watch it. */
export async function holderOfTerminal(db: Db, machine: string): Promise<OwnTerminal | null> {
  const { rows } = await sql<OwnTerminal>`
    select r.id, r.held_at as "heldAt" ${ofLearner} and m.name = ${machine} ${last}`.execute(db)
  return rows[0] ?? null
}
