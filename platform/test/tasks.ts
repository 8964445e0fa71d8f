import { sql } from 'kysely'
import type { Db } from '../server/db/schema.ts'

/** Prevents a task from running, even before the first worker starts. Waits for a run in progress. */
export async function suspendTask(db: Db, name: string): Promise<void> {
  await sql`insert into task (name, every) values (${name}, 1) on conflict do nothing`.execute(db)
  for (;;) {
    const { numAffectedRows } = await sql`
      update task set reconcile_at = portal_now() + interval '1 year'
      where name = ${name} and leased_until is null`.execute(db)
    if (numAffectedRows === 1n) return
  }
}

export async function resumeTask(db: Db, name: string): Promise<void> {
  await sql`update task set reconcile_at = portal_now() where name = ${name}`.execute(db)
}
