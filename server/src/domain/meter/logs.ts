import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { absent } from '../../http/problem.ts'
import { onlyOwn } from '../training/reach.ts'
import { refuseOutsideWindow } from '../training/window.ts'

export interface LogEntry {
  readonly start: string
  readonly stop: string | null
  /** Minutes, two decimals. */
  readonly duration: number
}

/** A screenful of years: a machine that is started ten times a day fills it in a year and a half. */
const ENTRIES = 5_000

/**
 * The runs of a machine, newest first, without those that were cleared away.
 * @throws Problem absent when the machine is not there or out of reach, forbidden to a user outside the access window
 */
export async function logsOf(db: Db, actor: Actor, vmName: string): Promise<LogEntry[]> {
  let named = db.selectFrom('machine').select(['id', 'training_id']).where('name', '=', vmName)
  if (actor.role !== 'superadmin') {
    if (actor.organisation === null) throw absent('machine')
    named = named.where('organisation_id', '=', actor.organisation.id)
  }
  const onlyOf = onlyOwn(actor)
  if (onlyOf !== null) named = named.where('email', '=', onlyOf)
  const machine = await named.executeTakeFirst()
  if (machine === undefined) throw absent('machine')
  await refuseOutsideWindow(db, actor, [machine.training_id])
  const { rows } = await sql<{ start: Date; stop: Date | null; seconds: number }>`
    select started_at as start, stopped_at as stop, greatest(0,
      extract(epoch from coalesce(stopped_at, date_trunc('second', portal_now())) - started_at))::bigint as seconds
    from run where machine_id = ${machine.id} and hidden_at is null
    order by started_at desc, id desc limit ${ENTRIES}`.execute(db)
  return rows.map(({ start, stop, seconds }) => ({
    start: start.toISOString(),
    stop: stop?.toISOString() ?? null,
    duration: Math.round((seconds * 100) / 60) / 100,
  }))
}
