import { sql } from 'kysely'
import type { Db } from '../server/db/schema.ts'
import { until } from './until.ts'

/** Returns true while machines, their ports, budgets or the sweep have due work. */
export async function isBusy(db: Db): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from machine where leased_until is not null or reconcile_at <= portal_now())
      or exists (select from security_group where leased_until is not null or reconcile_at <= portal_now())
      or exists (select from budget where judge_at <= portal_now())
      or exists (select from task where name = 'compare machines with the provider'
        and (leased_until is not null or reconcile_at <= portal_now())) as busy`.execute(db)
  return rows[0]!.busy
}

export const untilIdle = (db: Db): Promise<boolean> =>
  until(
    'the worker is idle',
    () => isBusy(db),
    (busy) => !busy,
  )
