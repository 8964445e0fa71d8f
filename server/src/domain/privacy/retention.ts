import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { sessionsChanged } from '../../core/session-changes.ts'

/** Maximum number of rows that one statement deletes, so that no lock is held for long. */
const BATCH = 5_000

type Days = 'activity_days' | 'attendance_days' | 'email_days' | 'sign_in_days' | 'webhook_days'

/** Table, the setting that limits its age, and its rows `t` that may be deleted, with their organisation and end. */
interface Retained {
  readonly table: string
  readonly days: Days
  /** Joins to the organisation, if the table does not have it. */
  readonly from?: string
  readonly organisation: string
  readonly ended: string
}

const OF_USER = 'join portal_user u on u.id = t.user_id'
const RETAINED: readonly Retained[] = [
  { table: 'activity_stretch', days: 'activity_days', organisation: 't.organisation_id', ended: 't.ended_at' },
  { table: 'file_transfer', days: 'activity_days', organisation: 't.organisation_id', ended: 't.ended_at' },
  { table: 'remote_watch', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
  { table: 'remote_session', days: 'attendance_days', organisation: 't.organisation_id', ended: 't.closed_at' },
  {
    table: 'invitation',
    days: 'email_days',
    from: OF_USER,
    organisation: 'u.organisation_id',
    // A link ends when its validity ends, so that valid links are not deleted.
    ended: 'coalesce(t.used_at, t.revoked_at, case when u.password_hash is not null then t.expires_at end)',
  },
  { table: 'registration_email', days: 'email_days', organisation: 't.organisation_id', ended: 't.expires_at' },
  { table: 'session', days: 'sign_in_days', from: OF_USER, organisation: 'u.organisation_id', ended: 't.seen_at' },
  {
    table: 'webhook_event',
    days: 'webhook_days',
    organisation: 't.organisation_id',
    ended: `case when not exists (select from webhook_delivery d where d.event_id = t.id and d.state = 'pending')
      then t.created_at end`,
  },
]

/** Deletes rows that are older than the retention that their organisation has set. */
export async function applyRetention(db: Db, signal: AbortSignal): Promise<void> {
  for (const retained of RETAINED) {
    const statement = deletionOf(retained)
    let deleted: number
    do {
      signal.throwIfAborted()
      deleted = Number((await statement.execute(db)).numAffectedRows ?? 0)
    } while (deleted === BATCH)
  }
  await db.transaction().execute(sessionsChanged)
}

const deletionOf = ({ table, days, from = '', organisation, ended }: Retained): RawBuilder<unknown> => sql`
  delete from ${sql.table(table)} where ctid in (
    select t.ctid from ${sql.table(table)} t ${sql.raw(from)}
      join organisation_privacy p on p.organisation_id = ${sql.raw(organisation)}
    where ${sql.raw(ended)} < portal_now() - make_interval(days => ${sql.ref(`p.${days}`)})
    limit ${BATCH})`
