import { sql } from 'kysely'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { invoice } from '../contract/invoice.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { unchargedByOrganisation } from './charging.ts'
import { supplierToday } from '@trainyard/usage/server/months.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { supplierProblems } from './supplier/readiness.ts'
import { supplierSettings } from './supplier/settings.ts'
import { isCancelled } from './conditions.ts'
import { customerOf, customers } from './customer.ts'
import { draftOf, usageToInvoice } from './draft.ts'
import { awaitingDocuments } from './read.ts'
import { cancelledIn, closedMonths, requireClosedMonth } from './months.ts'

export async function previewOf(db: Db, requested: string | undefined): Promise<ReplyOf<typeof invoice.preview>> {
  const settings = await supplierSettings(db)
  const months = await closedMonths(db, settings)
  const problems = supplierProblems(settings)
  const awaiting = await awaitingDocuments(db, settings.turnover, await supplierToday(db))
  const month = requested ?? months[0] ?? null
  if (month === null || !months.includes(month)) {
    return { problems, awaiting, months, month: null, rows: [] }
  }
  const [amounts, allCustomers, day] = await Promise.all([
    unchargedByOrganisation(db, `${month}-01`),
    customers(db),
    supplierToday(db),
  ])
  const [invoiced, cancelled] = [await invoicedIn(db, month), await cancelledIn(db, month)]
  const open = new Map(amounts.map(({ id, amount }) => [id, amount]))
  const rows = []
  for (const customer of allCustomers) {
    const taxablePaise = open.get(customer.id)
    if (taxablePaise === undefined || invoiced.has(customer.id)) continue
    const draft = draftOf(settings, customer, month, await usageToInvoice(db, settings, customer.id, month, day), day)
    const fails = 'problems' in draft
    rows.push({
      organization: customer.name,
      taxablePaise,
      totalPaise: fails ? null : draft.document.totals.totalPaise,
      digest: fails ? null : draft.digest,
      problems: fails ? draft.problems.filter((problem) => !problems.includes(problem)) : [],
      cancelled: cancelled.get(customer.id) ?? null,
    })
  }
  return { problems, awaiting, months, month, rows }
}

async function invoicedIn(db: Db, month: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('tax_document as d')
    .select('organisation_id')
    .where('month', '=', `${month}-01`)
    .where(sql<boolean>`not ${isCancelled('d')}`)
    .execute()
  return new Set(rows.map(({ organisation_id }) => organisation_id))
}

/** @throws Problem conflict if nothing can be issued */
export async function draftInvoice(
  db: Db,
  { id, name }: Pick<OrganisationInScope, 'id' | 'name'>,
  month: string,
): Promise<ReplyOf<typeof invoice.draft>> {
  const settings = await supplierSettings(db)
  await requireClosedMonth(db, settings, month)
  const day = await supplierToday(db)
  const usage = await usageToInvoice(db, settings, id, month, day)
  if (usage.lines.length === 0 || (await invoicedIn(db, month)).has(id)) {
    throw conflict(`${name} has nothing left to invoice for this month.`)
  }
  const draft = draftOf(settings, await customerOf(db, id), month, usage, day)
  if ('problems' in draft) throw conflict(draft.problems.join(' '))
  return draft
}
