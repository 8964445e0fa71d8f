import { sql } from 'kysely'
import type { MachineId } from '@trainyard/contract/words/ids.ts'
import type { Db } from '../../../db/schema.ts'

const EVERY_SECONDS = 15

export async function recordInput(db: Db, machines: readonly MachineId[]): Promise<void> {
  if (machines.length === 0) return
  await sql`
    insert into machine_activity as a (machine_id, organisation_id, input_at)
    select id, organisation_id, portal_now() from machine where id = any(${machines}::uuid[]) order by id
    on conflict (machine_id) do update set input_at = excluded.input_at, warned_at = null, stops_at = null
    where a.input_at is null or a.stops_at is not null
      or a.input_at < excluded.input_at - make_interval(secs => ${EVERY_SECONDS})`.execute(db)
}
