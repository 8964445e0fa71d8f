import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { NIGHT_STOP, type OverdueDays, type OverdueStage } from '@trainyard/contract/words/credit.ts'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { writeAudit } from '../../../core/audit.ts'
import type { Db, Tx } from '../../../db/schema.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { openInvoices, type OpenInvoice } from '../ledger/open.ts'
import { supplierToday } from '../meter/months.ts'

interface OverduePolicy extends OverdueDays {
  readonly isOwn: boolean
  readonly pausedUntil: string | null
  /** True while `pausedUntil` has not passed. */
  readonly isPaused: boolean
}

interface PolicyRow extends OverduePolicy {
  readonly organisation: OrganisationId
}

interface Overdue {
  readonly stage: OverdueStage | null
  /** The oldest due invoice that is open and that the customer has received. */
  readonly invoice: OpenInvoice | null
}

/** Returns the policies of organisations that owe money, or only the policy of the given organisation. */
async function policies(db: Db, organisation?: OrganisationId): Promise<PolicyRow[]> {
  const { rows } = await sql<PolicyRow>`
    select o.id as organisation, coalesce(t.own_policy, false) as "isOwn",
      case when t.own_policy then t.warn_days else s.warn_days end as "warnDays",
      case when t.own_policy then t.hold_days else s.hold_days end as "holdDays",
      case when t.own_policy then t.stop_days else s.stop_days end as "stopDays",
      to_char(t.paused_until, 'YYYY-MM-DD') as "pausedUntil", coalesce(t.paused_until >= supplier_today(), false) as "isPaused"
    from organisation o cross join supplier s left join credit_terms t on t.organisation_id = o.id
    where o.removed_at is null and (o.id = ${organisation ?? null}::uuid or (${organisation ?? null}::uuid is null
      and exists (select from ledger_balance b where b.organisation_id = o.id and b.invoice_paise > b.payment_paise)))`.execute(
    db,
  )
  return rows
}

const policyOf = async (db: Db, organisation: OrganisationId): Promise<OverduePolicy> =>
  (await policies(db, organisation))[0]!

const isActive = ({ isPaused, warnDays, holdDays, stopDays }: OverduePolicy): boolean =>
  !isPaused && (warnDays !== null || holdDays !== null || stopDays !== null)

/** Returns the step that applies after a number of days since the due date. */
export function stageAt(overdue: number, { warnDays, holdDays, stopDays }: OverdueDays): OverdueStage | null {
  const reached = (days: number | null) => days !== null && overdue > 0 && overdue >= days
  if (reached(stopDays)) return 'stop'
  if (reached(holdDays)) return 'hold'
  return reached(warnDays) ? 'warn' : null
}

/** Returns the step of the policy for overdue invoices that an organisation has reached. */
export async function overdueOf(db: Db, organisation: OrganisationId): Promise<Overdue & { policy: OverduePolicy }> {
  const policy = await policyOf(db, organisation)
  const invoice = oldestOf(await openInvoices(db, await supplierToday(db), { organisation, most: 500 }))
  const stage = invoice === null || policy.isPaused ? null : stageAt(invoice.overdue, policy)
  return { policy, invoice, stage }
}

/** Returns the step that applies to an organisation; reads open invoices only if a policy is in force. */
export async function overdueStage(db: Db, organisation: OrganisationId): Promise<Overdue> {
  return isActive(await policyOf(db, organisation)) ? overdueOf(db, organisation) : { stage: null, invoice: null }
}

const oldestOf = (invoices: readonly OpenInvoice[]): OpenInvoice | null =>
  invoices.filter(({ isHeld }) => !isHeld).toSorted((a, b) => b.overdue - a.overdue)[0] ?? null

/**
 * Sends one mail per step and invoice, and records the organisations whose machines must be off: from the night of the
 * day on which the last step begins until the invoices are paid.
 */
export async function applyOverduePolicy(db: Db, jobs: JobQueue): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const today = await supplierToday(tx)
    const found = new Map<OrganisationId, Overdue>()
    for (const policy of await policies(tx)) {
      if (!isActive(policy)) continue
      const { organisation } = policy
      const invoice = oldestOf(await openInvoices(tx, today, { organisation }))
      if (invoice === null) continue
      found.set(organisation, { stage: stageAt(invoice.overdue, policy), invoice })
    }
    for (const [organisation, { stage, invoice }] of found) {
      if (stage !== null) await notifyOnce(tx, jobs, organisation, stage, invoice!)
    }
    const stopped = [...found].filter(([, { stage }]) => stage === 'stop')
    const organisations = stopped.map(([organisation]) => organisation)
    await sql`delete from overdue_stop where organisation_id <> all(${organisations}::uuid[])`.execute(tx)
    await sql`
      insert into overdue_stop (organisation_id)
      select o.id from unnest(${organisations}::uuid[], ${stopped.map(([, { invoice }]) => invoice!.invoice)}::text[])
          as due (organisation, invoice)
        join organisation o on o.id = due.organisation
        join overdue_notice n on n.organisation_id = o.id and n.invoice = due.invoice and n.stage = 'stop'
      where portal_now() >= ((n.at at time zone o.time_zone)::date + time '${sql.raw(NIGHT_STOP)}') at time zone o.time_zone
      on conflict do nothing`.execute(tx)
  })
}

async function notifyOnce(
  tx: Tx,
  jobs: JobQueue,
  organisation: OrganisationId,
  stage: OverdueStage,
  { invoice, dueOn, open }: OpenInvoice,
): Promise<void> {
  const added = await tx
    .insertInto('overdue_notice')
    .values({ organisation_id: organisation, stage, invoice, due_on: dueOn })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) return
  await jobs.enqueue(tx, 'credit.overdue', [{ notice: added.id }])
  await writeAudit(tx, {
    call: 'credit.overdue',
    requestId: randomUUID(),
    actor: null,
    organisation,
    request: { stage, invoice, dueOn, openPaise: open },
  })
}
