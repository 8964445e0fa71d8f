import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

/** Somebody who types goes on: it is written down this often, and not with every key. */
const EVERY_SECONDS = 15

/** Notes that somebody typed at these machines just now: none of them is about to be stopped for being idle. */
export async function noteInput(db: Db, machines: readonly MachineId[]): Promise<void> {
  if (machines.length === 0) return
  await sql`
    insert into machine_activity as a (machine_id, organisation_id, input_at)
    select id, organisation_id, portal_now() from machine where id = any(${machines}::uuid[]) order by id
    on conflict (machine_id) do update set input_at = excluded.input_at, warned_at = null, stops_at = null
    where a.input_at is null or a.stops_at is not null
      or a.input_at < excluded.input_at - make_interval(secs => ${EVERY_SECONDS})`.execute(db)
}
