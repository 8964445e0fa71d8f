import { type RawBuilder, sql } from 'kysely'
import type { BreachId } from '@trainyard/contract/words/ids.ts'
import { conflict, notFound, Problem } from '../../core/errors.ts'
import type { HandlersOf } from '../../core/handler.ts'
import type { Db, Tx } from '../../db/schema.ts'
import type { JobQueue } from '../../jobs/jobs.ts'
import { organisationInScope } from '../people/organisation/scope.ts'
import { type Affected, type BreachDetails, boardReport, missingDetails, recipientLines } from './breach-texts.ts'

const LISTED_MAX = 200

interface BreachRow extends BreachDetails {
  readonly id: BreachId
  readonly number: number
  readonly found_at: Date
  readonly recorded_by: string
  readonly recorded_at: Date
  readonly board_reported_at: Date | null
  readonly board_report_due: Date
  readonly affected: readonly Affected[]
  readonly notices: { waiting: number; requested: number; sent: number; failed: number }
}

/** @param number null: all breaches, newest first */
async function breachesOf(db: Db, number: number | null): Promise<readonly BreachRow[]> {
  const { rows } = await sql<BreachRow>`
    select b.*, b.found_at + interval '72 hours' as board_report_due,
      coalesce((
        select jsonb_agg(jsonb_build_object('organization', name, 'users', users) order by name)
        from (select o.name, count(*) as users
          from breach_recipient r left join organisation o on o.id = r.organisation_id
          where r.breach_id = b.id and kind = 'user' group by o.name) as each), '[]') as affected,
      (select jsonb_build_object(
          'waiting', count(*) filter (where requested_at is null),
          'requested', count(*) filter (where requested_at is not null and sent_at is null and problem is null),
          'sent', count(sent_at),
          'failed', count(problem))
        from breach_recipient where breach_id = b.id) as notices
    from breach b where ${number === null ? sql`true` : sql`number = ${number}`}
    order by number desc limit ${LISTED_MAX}`.execute(db)
  return rows
}

async function breachNumber(db: Db, number: number): Promise<BreachRow> {
  const [found] = await breachesOf(db, number)
  if (found === undefined) throw notFound('breach')
  return found
}

/** Locks the breach, so that calls that change it or its recipients run one after another. */
async function lockBreach(tx: Tx, number: number): Promise<BreachRow> {
  await tx.selectFrom('breach').select('id').where('number', '=', number).forUpdate().execute()
  return breachNumber(tx, number)
}

async function addUsers(tx: Tx, breach: BreachId, filter: RawBuilder<boolean>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into breach_recipient (breach_id, kind, email, organisation_id)
    select ${breach}, 'user', email, organisation_id from portal_user where ${filter}
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows)
}

/** Adds the admins of the organisations of affected users. */
async function addAdmins(tx: Tx, breach: BreachId): Promise<void> {
  await sql`
    insert into breach_recipient (breach_id, kind, email, organisation_id)
    select ${breach}, 'admin', email, organisation_id from portal_user
    where role = 'admin' and deactivated_at is null
      and organisation_id in (select organisation_id from breach_recipient where breach_id = ${breach} and kind = 'user')
    on conflict do nothing`.execute(tx)
}

const users = (count: number): string => (count === 1 ? 'One user' : `${count} users`)

export const breachHandlers = ({ jobs }: { readonly jobs: JobQueue }): HandlersOf<'breach'> => ({
  async list(db) {
    return {
      breaches: (await breachesOf(db, null)).map((row) => ({
        number: row.number,
        what: row.what,
        foundAt: row.found_at.toISOString(),
        cause: row.cause,
        consequences: row.consequences,
        measures: row.measures,
        advice: row.advice,
        contact: row.contact,
        recordedBy: row.recorded_by,
        recordedAt: row.recorded_at.toISOString(),
        boardReportDue: row.board_report_due.toISOString(),
        boardReportedAt: row.board_reported_at?.toISOString() ?? null,
        affected: [...row.affected],
        notices: row.notices,
      })),
    }
  },

  async record(tx, { actor, body }) {
    const { rows } = await sql<{ number: number }>`
      insert into breach (what, found_at, recorded_by)
      select ${body.what}, ${body.foundAt}::timestamptz, ${actor.email}
      where ${body.foundAt}::timestamptz <= portal_now()
      returning number`.execute(tx)
    if (rows[0] === undefined) throw new Problem('invalid', 'foundAt must not be in the future.')
    return { message: `Breach ${rows[0].number} was recorded. Add the affected users and the details.` }
  },

  async change(tx, { body: { number, ...changes }, auditChange }) {
    const { id, what, cause, consequences, measures, advice, contact } = await lockBreach(tx, number)
    if (Object.keys(changes).length === 0) throw new Problem('invalid', 'A detail must be given.')
    await tx.updateTable('breach').set(changes).where('id', '=', id).execute()
    auditChange({ number, what, cause, consequences, measures, advice, contact }, { number, ...changes })
    return { message: `The details of breach ${number} were saved.` }
  },

  async addAffected(tx, { actor, body: { number, emails = [], organization } }) {
    const { id } = await lockBreach(tx, number)
    if (emails.length === 0 && organization === undefined)
      throw new Problem('invalid', 'The field emails or the field `organization` must be given.')
    const { rows: absent } = await sql<{ email: string }>`
      select email from unnest(${emails}::text[]) as email
      where not exists (select from portal_user u where u.email = email.email)`.execute(tx)
    if (absent.length > 0)
      throw new Problem('notFound', `There is no account of ${absent.map(({ email }) => email).join(', ')}.`)
    let added = await addUsers(tx, id, sql`email = any(${emails}::text[])`)
    if (organization !== undefined) {
      const scope = await organisationInScope(tx, actor, organization)
      added += await addUsers(tx, id, sql`organisation_id = ${scope.id}`)
    }
    return { message: `${users(added)} added to breach ${number}.` }
  },

  async notify(tx, { body: { number } }) {
    const breach = await lockBreach(tx, number)
    const missing = missingDetails(breach)
    if (missing.length > 0) throw conflict(`Enter ${missing.join(', ')} first: users must receive them.`)
    await addAdmins(tx, breach.id)
    const requested = await tx
      .updateTable('breach_recipient')
      .set({ requested_at: sql<Date>`portal_now()`, problem: null })
      .where('breach_id', '=', breach.id)
      .where((eb) => eb.or([eb('requested_at', 'is', null), eb('problem', 'is not', null)]))
      .returning(['kind', 'email'])
      .execute()
    if (requested.length === 0) throw conflict('All notices were already requested.')
    await jobs.enqueue(
      tx,
      'breach.notice',
      requested.map(({ kind, email }) => ({ breach: breach.id, kind, email })),
    )
    return { message: `${requested.length === 1 ? 'One notice is' : `${requested.length} notices are`} being sent.` }
  },

  async reported(tx, { body: { number } }) {
    const breach = await lockBreach(tx, number)
    if (breach.board_reported_at !== null) throw conflict('The report is already recorded.')
    await tx
      .updateTable('breach')
      .set({ board_reported_at: sql<Date>`portal_now()` })
      .where('id', '=', breach.id)
      .execute()
    return { message: `The report of breach ${number} is recorded as sent.` }
  },

  async draft(tx, { body: { number } }) {
    const { found_at: foundAt, board_report_due: boardReportDue, ...breach } = await breachNumber(tx, number)
    const text = boardReport({ ...breach, foundAt, boardReportDue })
    return { name: `breach-${number}-report.txt`, type: 'text/plain', content: [text] }
  },

  async recipients(tx, { body: { number } }) {
    const { id } = await breachNumber(tx, number)
    const rows = await tx
      .selectFrom('breach_recipient as r')
      .leftJoin('organisation as o', 'o.id', 'r.organisation_id')
      .select(['kind', 'email', 'o.name as organization', 'requested_at', 'sent_at', 'problem'])
      .where('breach_id', '=', id)
      .orderBy('kind')
      .orderBy('email')
      .execute()
    return { name: `breach-${number}-recipients.csv`, type: 'text/csv', content: recipientLines(rows) }
  },
})
