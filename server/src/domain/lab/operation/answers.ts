import pLimit from 'p-limit'
import { sql } from 'kysely'
import type { OperatingSystem } from '@trainyard/contract/words/limits.ts'
import type { Db } from '../../../db/schema.ts'
import type { MachineAddress } from '../../../providers/machine-address.ts'
import { NETWORK_OF_MACHINE } from '../network/network-of.ts'
import { REMOTE_PROTOCOLS, type AccessProbe } from '../../../providers/access-probe.ts'

/** Minutes after which a machine is reported as unreachable and is no longer checked. */
const ANSWER_MINUTES = 10

const AT_ONCE = 64
const PER_RUN = 256

interface AwaitedMachine extends MachineAddress {
  readonly id: string
  readonly os: OperatingSystem
}

/**
 * Checks whether machines accept SSH or RDP connections. Connects only to the provider's address and the system's own
 * port.
 */
export async function checkMachinesAnswer(db: Db, accessProbe: AccessProbe, signal: AbortSignal): Promise<void> {
  await closeUnanswered(db)
  const { rows } = await sql<AwaitedMachine>`
    select o.id, machine.public_ip as address, machine.os, ${NETWORK_OF_MACHINE} as network
    from operation o join machine on machine.id = o.machine_id
    where o.closed_at is null and o.ended_at is not null and o.kind in ('create', 'start', 'restart', 'reset')
      and machine.observed = 'running' and machine.desired = 'running' and machine.reset_asked_at is null
      and not machine.password_due and machine.public_ip is not null
    -- In turn by organisation, so that machines that do not answer delay only those of their organisation.
    order by row_number() over (partition by machine.organisation_id order by random()), random()
    limit ${PER_RUN}`.execute(db)
  await pLimit(AT_ONCE).map(rows, async ({ id, os, ...at }) => {
    if (!(await accessProbe.responds(at, os, signal))) return
    await sql`
      update operation set ready_at = greatest(portal_now(), ended_at), closed_at = portal_now()
      where id = ${id} and closed_at is null`.execute(db)
  })
}

/**
 * Ends unanswered checks. Rows that another transaction has locked are skipped until the next run, which prevents a
 * deadlock.
 */
async function closeUnanswered(db: Db): Promise<void> {
  const reasonFor = (os: OperatingSystem) => {
    const { protocol, port } = REMOTE_PROTOCOLS[os]
    return `The machine runs but did not answer on port ${port} (${protocol}) within ${ANSWER_MINUTES} minutes: check the subnet's route table and firewall.`
  }
  await sql`
    update operation o set closed_at = portal_now(),
      reason = case m.os when 'Windows' then ${reasonFor('Windows')} else ${reasonFor('Linux')} end
    from machine m
    where m.id = o.machine_id and o.id in (
      select id from operation
      where closed_at is null and kind in ('create', 'start', 'restart', 'reset')
        and ended_at < portal_now() - make_interval(mins => ${sql.lit(ANSWER_MINUTES)})
      for update skip locked)`.execute(db)
}
