import { sql } from 'kysely'
import type { Db } from '../src/db/schema.ts'

/** Keeps a task from running, also before the first worker starts. A run that is at work comes to its end first. */
export async function holdTask(db: Db, name: string): Promise<void> {
  await sql`insert into task (name, every) values (${name}, 1) on conflict do nothing`.execute(db)
  for (;;) {
    const { numAffectedRows } = await sql`
      update task set reconcile_at = portal_now() + interval '1 year'
      where name = ${name} and leased_until is null`.execute(db)
    if (numAffectedRows === 1n) return
  }
}

/** Has a task run at once. */
export async function releaseTask(db: Db, name: string): Promise<void> {
  await sql`update task set reconcile_at = portal_now() where name = ${name}`.execute(db)
}
