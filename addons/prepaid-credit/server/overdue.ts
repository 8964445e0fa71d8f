import { randomUUID } from 'node:crypto'
import type { OverdueDays } from '@trainyard/invoices/contract/payment-terms.ts'
import type { OverdueStage } from '../contract/credit-words.ts'
import type { OrganisationId, OverdueNoticeId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { type JobQueue, job, EMAILS } from '@trainyard/platform/server/run/jobs/job.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'
import type { OpenInvoice } from '@trainyard/accounting/server/queries.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import { selectPolicies, deleteOtherStops, insertStops, type PolicyRow, type OverduePolicy } from './queries.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

export const creditOverdue = job<{ readonly notice: OverdueNoticeId }>('credit.overdue', EMAILS)

interface Overdue {
  readonly stage: OverdueStage | null
  /** The oldest due invoice that is open and that the customer has received. */
  readonly invoice: OpenInvoice | null
}

/** Returns the policies of organisations that owe money, or only the policy of the given organisation. */
async function policies(db: Db, organisation?: OrganisationId): Promise<PolicyRow[]> {
  const { rows } = await selectPolicies(db, organisation ?? null)
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
    const { rows: ended } = await deleteOtherStops(tx, organisations)
    const { rows: begun } = await insertStops(
      tx,
      organisations,
      stopped.map(([, { invoice }]) => invoice!.invoice),
    )
    for (const { id } of [...ended, ...begun]) await allMachinesChanged(tx, id)
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
  await jobs.enqueue(tx, creditOverdue, [{ notice: added.id }])
  await writeAudit(tx, {
    call: 'credit.overdue',
    requestId: randomUUID(),
    actor: null,
    organisation,
    request: { stage, invoice, dueOn, openPaise: open },
  })
}
