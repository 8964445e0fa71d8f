import { sql } from 'kysely'
import type { OrderId, OrganisationId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { SCHEDULE_GRACE_MINUTES } from '@trainyard/contract/words/limits.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import { startRefusals } from '../machine/billing-rules.ts'
import { lockMachines } from '../machine/record.ts'
import { setDesiredPower } from '../machine/desired-power.ts'
import { secondsUsed } from '../../money/meter/used.ts'
import { machineResult } from '../schedule/machine-result.ts'
import { isSelected, leadOf } from './lead-time.ts'
import { NOT_CREATED } from './plan.ts'

interface PendingReadyBy {
  readonly id: string
  readonly training_id: TrainingId
  readonly organisation_id: OrganisationId
  readonly order_id: OrderId | null
  readonly seconds: number
}

/**
 * Period before the start of a ready time in which it is considered, because the lead time is computed again with new
 * measurements.
 */
const LOOKAHEAD = '1 day'
const AT_ONCE = 200

export async function startDueMachines(db: Db): Promise<void> {
  await sql`
    with missed as (
      update ready_by set missed = true
      where started_at is null and not missed and removed_at is null
        and ready_at < portal_now() - make_interval(mins => ${sql.lit(SCHEDULE_GRACE_MINUTES)})
      returning order_id),
    mine as (
      select id from machine where create_later and order_id in (select order_id from missed) order by id for update)
    update machine m set stop_reason = ${NOT_CREATED} from mine where m.id = mine.id`.execute(db)
  const { rows } = await sql<PendingReadyBy>`
    select id, training_id, organisation_id, order_id, extract(epoch from ready_at - portal_now())::float8 as seconds
    from ready_by where started_at is null and not missed and removed_at is null
      and ready_at < portal_now() + ${LOOKAHEAD}::interval
    order by ready_at limit ${AT_ONCE}`.execute(db)
  for (const waiting of rows) {
    const { seconds } = await leadOf(db, { training: waiting.training_id, order: waiting.order_id })
    if (waiting.seconds <= seconds) await db.transaction().execute((tx) => start(tx, waiting))
  }
}

/**
 * Starts the machines in one transaction. If the process dies, either all machines were started or none of them, and no
 * machine is started twice.
 */
async function start(tx: Tx, { id, training_id, organisation_id, order_id }: PendingReadyBy): Promise<void> {
  const { rows: claimed } = await sql`
    update ready_by set started_at = portal_now()
    where id = ${id} and started_at is null and removed_at is null returning id`.execute(tx)
  if (claimed.length === 0) return
  const live = await tx
    .selectFrom('machine')
    .select('id')
    .where(isSelected({ training: training_id, order: order_id }))
    .execute()
  const machines = await lockMachines(
    tx,
    live.map((machine) => machine.id),
  )
  const used = await secondsUsed(
    tx,
    machines.map((machine) => machine.id),
  )
  const refusal = (await startRefusals(tx, [training_id])).get(training_id) ?? null
  const results = machines.map((machine) => ({
    machine,
    ...machineResult('Start', machine, used.get(machine.id) ?? 0, refusal),
  }))
  const acted = results.filter(({ outcome }) => outcome === 'acted')
  await setDesiredPower(
    tx,
    acted.map(({ machine }) => machine.id),
    'running',
  )
  await sql`
    insert into ready_machine (ready_by_id, organisation_id, machine_id, refused)
    select ${id}, ${organisation_id}, result.machine, result.refused
    from unnest(${results.map(({ machine }) => machine.id)}::uuid[],
      ${results.map(({ outcome, reason }) => (outcome === 'failed' ? reason : null))}::text[]) as result (machine, refused)`.execute(
    tx,
  )
}
