import { sql } from 'kysely'
import type { ReadyBy } from '@trainyard/contract/calls/ready.ts'
import type { OrderId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'
import { leadOf } from './lead-time.ts'

interface Row {
  readonly id: string
  readonly date: string
  readonly time: string
  readonly ready_at: Date
  readonly started_at: Date | null
  readonly missed: boolean
  readonly order_id: OrderId | null
  readonly of_session: boolean
}

interface MachineLine {
  readonly ready_by_id: string
  readonly name: string
  readonly email: string
  readonly reason: string | null
}

const MAX_SHOWN = 20

export async function readyByOf(db: Db, training: TrainingId): Promise<ReadyBy[]> {
  const { rows } = await sql<Row>`
    select * from (
      select id, date, time, ready_at, started_at, missed, order_id, class_session_id is not null as of_session
      from ready_by
      where training_id = ${training} and removed_at is null
      order by abs(extract(epoch from ready_at - portal_now())) limit ${MAX_SHOWN}) as nearest
    order by ready_at desc`.execute(db)
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
  return rows.map(({ id, date, time, ready_at, started_at, missed, order_id, of_session }) => {
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
  })
}

/** Returns the state of each machine. A machine is ready if it runs and has answered since its last start. */
async function machineLines(db: Db, readyBy: readonly string[]): Promise<readonly MachineLine[]> {
  const { rows } = await sql<MachineLine>`
    select t.ready_by_id, m.name, m.email,
      case
        when t.refused is not null then t.refused
        when m.terminated_at is not null or m.desired = 'gone' then coalesce(m.ended, 'It was deleted.')
        when m.last_error is not null then m.last_error
        when m.desired = 'stopped' then 'It was stopped.'
        when m.observed <> 'running' or m.password_due or m.reset_asked_at is not null then 'It is being started.'
        when last.id is null or last.ready_at is not null then null
        else coalesce(last.reason, 'It runs but does not answer yet.')
      end as reason
    from ready_machine t join machine m on m.id = t.machine_id
    left join lateral (
      select o.id, o.ready_at, o.reason from operation o
      where o.machine_id = m.id and o.kind in ('create', 'start', 'restart', 'reset')
      order by o.asked_at desc limit 1) as last on true
    where t.ready_by_id = any(${readyBy}::uuid[]) order by m.number`.execute(db)
  return rows
}
