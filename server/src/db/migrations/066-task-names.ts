import { type Kysely, sql } from 'kysely'

/** Renames background tasks. Their rows keep the time and the error of the last run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['task', 'task_on_worker'])
    await sql`
      update ${sql.table(table)} as t set name = renamed.to_name from ${RENAMED} where t.name = renamed.from_name`.execute(
      db,
    )
}

const RENAMED = sql.raw(`(values
      ('fire schedules', 'run schedules'),
      ('start what is due', 'start machines before ready times'),
      ('stop what is used up', 'stop machines without quota'),
      ('seat who waits', 'assign waiting learners'),
      ('change prices', 'apply price changes'),
      ('judge budgets', 'check budgets'),
      ('follow rosters', 'update machines of rosters'),
      ('watch the clock', 'check the clock'),
      ('sweep machines', 'compare machines with the provider'),
      ('read offers', 'read VM sizes and image terms'),
      ('ask mail', 'check the mail server'),
      ('stop what is idle', 'stop idle machines'),
      ('add up counters', 'update counters'),
      ('sum up days', 'store daily totals'),
      ('seal the audit', 'seal the audit log'),
      ('sign the audit', 'sign the audit log'),
      ('archive the audit', 'archive the audit log'),
      ('erase persons', 'erase personal data'),
      ('archive runs', 'archive usage records'),
      ('remind of invoices', 'send payment reminders'),
      ('apply overdue policy', 'apply the overdue policy'),
      ('tell of quotas', 'send quota alerts'),
      ('mark ready orders', 'mark orders as ready'),
      ('import costs', 'import provider costs'),
      ('apply retention', 'apply retention periods'),
      ('clean up', 'delete expired records'),
      ('measure machines', 'read machine metrics'),
      ('note activity', 'record machine activity'),
      ('check credentials', 'check expiry of credentials'),
      ('back up', 'back up the database'),
      ('ask machines', 'check machine access'),
      ('end Azure users', 'end expired Azure users'),
      ('end sandboxes', 'delete expired sandboxes'),
      ('end AWS users', 'end expired AWS users'),
      ('take back AWS accounts', 'reclaim AWS accounts'),
      ('remove AWS orphans', 'delete AWS orphans'),
      ('report', 'report task runs')
    ) as renamed (from_name, to_name)`)
