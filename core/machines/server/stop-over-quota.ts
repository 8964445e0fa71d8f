import { sql } from 'kysely'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { setDesiredMachines } from './desired-state.ts'

const usedUp = sql`quota_ends_at <= portal_now() and desired = 'running'`

export const QUOTA_USED_UP = sql<boolean>`(
  select true from machine where ${usedUp} order by quota_ends_at limit 1)`

export async function stopOverQuota(tx: Tx): Promise<number> {
  const stopped = await setDesiredMachines(tx, {
    rows: sql`select id, last_error from machine where ${usedUp} order by id for update skip locked`,
    desired: 'stopped',
    set: sql`restart_asked_at = null`,
  })
  return stopped.length
}
