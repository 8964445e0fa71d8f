import type { ReadyBy } from '../../contract/ready.ts'
import type { OrderId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { leadOf } from './lead-time.ts'
import { selectReadyBy, selectMachineLines, type ListedReadyBy, type MachineLine } from './queries.ts'

export async function readyByOf(db: Db, training: TrainingId): Promise<ReadyBy[]> {
  const { rows } = await selectReadyBy(db, training)
  if (rows.length === 0) return []
  const leads = new Map<OrderId | null, Awaited<ReturnType<typeof leadOf>>>()
  for (const { order_id } of rows) {
    if (!leads.has(order_id)) leads.set(order_id, await leadOf(db, { training, order: order_id }))
  }
  const lines = Map.groupBy(
    await machineLines(
      db,
      rows.map(({ id }) => id),
    ),
    ({ ready_by_id }) => ready_by_id,
  )
  // Plans of one time are shown as one: that of all machines includes those of orders.
  const perTime = [
    ...Map.groupBy(rows, ({ ready_at, started_at, missed }) =>
      JSON.stringify([ready_at, missed, started_at !== null]),
    ).values(),
  ].map((same) => same.find(({ order_id }) => order_id === null) ?? same)
  return perTime.map((same) => [same].flat().map(lineOf).reduce(together))

  function lineOf({ id, date, time, ready_at, started_at, missed, order_id, of_session }: ListedReadyBy): ReadyBy {
    const lead = leads.get(order_id)!
    const machines = lines.get(id) ?? []
    const others = machines.flatMap(({ name, email, reason }) => (reason === null ? [] : [{ name, email, reason }]))
    return {
      date,
      time,
      readyAt: ready_at.toISOString(),
      startsAt: (started_at ?? new Date(ready_at.getTime() - lead.seconds * 1000)).toISOString(),
      state: missed ? 'missed' : started_at === null ? 'waiting' : 'started',
      ofSession: of_session,
      total: started_at === null ? lead.machines : machines.length,
      ready: machines.length - others.length,
      others,
    }
  }
}

/** Returns two ready times of one time as one. */
const together = (one: ReadyBy, other: ReadyBy): ReadyBy => ({
  ...one,
  startsAt: one.startsAt < other.startsAt ? one.startsAt : other.startsAt,
  ofSession: one.ofSession || other.ofSession,
  total: one.total + other.total,
  ready: one.ready + other.ready,
  others: [...one.others, ...other.others],
})

/** Returns the state of each machine. A machine is ready if it runs and has answered since its last start. */
async function machineLines(db: Db, readyBy: readonly string[]): Promise<readonly MachineLine[]> {
  const { rows } = await selectMachineLines(db, readyBy)
  return rows
}
