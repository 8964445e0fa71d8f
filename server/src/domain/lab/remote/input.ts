import { sql } from 'kysely'
import { ACTIVE_PAUSE_MINUTES } from '@trainyard/contract/words/attendance.ts'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

const EVERY_SECONDS = 15

export async function recordMachineUse(db: Db, machines: readonly MachineId[]): Promise<void> {
  if (machines.length === 0) return
  await sql`
    insert into machine_activity as a (machine_id, organisation_id, input_at)
    select id, organisation_id, portal_now() from machine where id = any(${machines}::uuid[]) order by id
    on conflict (machine_id) do update set input_at = excluded.input_at, warned_at = null, stops_at = null
    where a.input_at is null or a.stops_at is not null
      or a.input_at < excluded.input_at - make_interval(secs => ${EVERY_SECONDS})`.execute(db)
}

/** Records input in the remote sessions, for the attendance. A pause of some minutes does not end a period of input. */
export async function recordRemoteSessionInput(db: Db, sessions: readonly string[]): Promise<void> {
  if (sessions.length === 0) return
  await sql`
    with last as (
      select s.id, s.organisation_id, i.began_at, i.ended_at from remote_session s
      left join lateral (select began_at, ended_at from remote_input
        where remote_session_id = s.id order by began_at desc limit 1) as i on true
      where s.id = any(${sessions}::uuid[])
    ), extended as (
      update remote_input i set ended_at = portal_now() from last
      where i.remote_session_id = last.id and i.began_at = last.began_at
        and last.ended_at between portal_now() - make_interval(mins => ${ACTIVE_PAUSE_MINUTES})
          and portal_now() - make_interval(secs => ${EVERY_SECONDS}))
    insert into remote_input (remote_session_id, organisation_id, began_at, ended_at)
    select id, organisation_id, portal_now(), portal_now() from last
    where ended_at is null or ended_at < portal_now() - make_interval(mins => ${ACTIVE_PAUSE_MINUTES})
    on conflict do nothing`.execute(db)
}
