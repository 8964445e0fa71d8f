import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { startRefusals } from '@trainyard/machines/server/may-start.ts'
import { lockMachines } from '@trainyard/machines/server/record.ts'
import { setDesiredPower } from '@trainyard/machines/server/desired-power.ts'
import { secondsUsed } from '@trainyard/usage/server/used.ts'
import { machineResult } from '@trainyard/schedules/server/machine-result.ts'
import { leadOf } from './lead-time.ts'
import { markMissed, selectDueStarts, markStarted, insertResults, isSelected, type PendingReadyBy } from './queries.ts'

export async function startDueMachines(db: Db): Promise<void> {
  await markMissed(db)
  const { rows } = await selectDueStarts(db)
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
  const { rows: claimed } = await markStarted(tx, id)
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
  await insertResults(tx, id, organisation_id, results)
}
