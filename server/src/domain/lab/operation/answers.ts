import pLimit from 'p-limit'
import { sql } from 'kysely'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import { shuffled } from '../../../core/shuffled.ts'
import type { Db } from '../../../db/schema.ts'
import { ENTRANCES, type Greetings } from '../../../providers/greeting.ts'

/** A machine that does not answer by then is told so, and not asked again for this operation. */
export const ANSWER_MINUTES = 10

const AT_ONCE = 64
const IN_ONE_GO = 256

interface Awaited {
  readonly id: string
  readonly address: string
  readonly os: OperatingSystem
}

/**
 * Asks the machines that came to run of late for the greeting of SSH or RDP: the first answer ends the operation. Only
 * the address that the cloud told for the machine is asked, and only on the port of its system.
 */
export async function askMachines(db: Db, greetings: Greetings, signal: AbortSignal): Promise<void> {
  await giveUp(db)
  const { rows } = await sql<Awaited>`
    select o.id, m.public_ip as address, m.os from operation o join machine m on m.id = o.machine_id
    where o.closed_at is null and o.ended_at is not null and o.kind in ('create', 'start', 'restart', 'reset')
      and m.observed = 'running' and m.desired = 'running' and m.reset_asked_at is null and not m.password_due and m.public_ip is not null
    limit 2000`.execute(db)
  // Those that are silent keep nobody from being asked: the next go has others.
  await pLimit(AT_ONCE).map(shuffled(rows).slice(0, IN_ONE_GO), async ({ id, address, os }) => {
    if (!(await greetings.answers(address, os, signal))) return
    await sql`
      update operation set ready_at = greatest(portal_now(), ended_at), closed_at = portal_now()
      where id = ${id} and closed_at is null`.execute(db)
  })
}

/**
 * Closes operations after which nobody could come in for too long. One that somebody else changes at this moment is
 * left to the next turn: they may hold several, and wait for one of these.
 */
async function giveUp(db: Db): Promise<void> {
  const nothing = (os: OperatingSystem) => {
    const { protocol, port } = ENTRANCES[os]
    return `It runs, and did not answer on port ${port} (${protocol}) within ${ANSWER_MINUTES} minutes.`
  }
  await sql`
    update operation o set closed_at = portal_now(),
      reason = case m.os when 'Windows' then ${nothing('Windows')} else ${nothing('Linux')} end
    from machine m
    where m.id = o.machine_id and o.id in (
      select id from operation
      where closed_at is null and kind in ('create', 'start', 'restart', 'reset')
        and ended_at < portal_now() - make_interval(mins => ${sql.lit(ANSWER_MINUTES)})
      for update skip locked)`.execute(db)
}
