import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { accounting } from '../contract.ts'
import { tdsOfPayment } from '@trainyard/ledger/contract/entry.ts'
import { financialYear, quarterOf } from '@trainyard/ledger/contract/financial-year.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { paiseOfRupees } from '@trainyard/platform/contract/words/money.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { addManualEntry } from '@trainyard/ledger/server/entries.ts'
import { selectDeductions, selectReceipts, selectDeductionNamed, selectCertificate, type Deduction } from './queries.ts'

export const tdsParticular = (section: string, year: string, quarter: number): string =>
  `TDS under section ${section}, Q${quarter} of 20${year}`

/**
 * Adds the tax that the payer of a payment deducted. The payment's date determines year and quarter. The caller holds
 * the organisation's lock.
 * @throws Problem conflict
 */
export async function addDeduction(
  tx: Tx,
  { email }: Actor,
  { id: organisation, name }: OrganisationInScope,
  {
    payment,
    date,
    settles,
    amount,
    section,
  }: {
    readonly payment: string
    readonly date: string
    readonly settles: string | null
    readonly amount: number
    readonly section: string
  },
): Promise<void> {
  const year = financialYear(date)
  const quarter = quarterOf(date)
  const reference = tdsOfPayment(payment)
  const added = await addManualEntry(tx, {
    organisation,
    kind: 'tds',
    reference,
    particular: tdsParticular(section, year, quarter),
    settles,
    deductedFrom: payment,
    tds: { section, year, quarter },
    amount: paiseOfRupees(amount)!,
    date,
    by: email,
  })
  if (!added) throw conflict(`${name} already has the TDS certificate ${reference}.`)
}

/** Returns the deductions that were recorded with a payment and are not reversed, newest first. */
export async function deductions(db: Db, organisation: OrganisationId): Promise<Deduction[]> {
  const { rows } = await selectDeductions(db, organisation)
  return rows
}

/** The caller holds the organisation's lock. @throws Problem notFound or conflict */
export async function certifyDeductions(
  tx: Tx,
  { email }: Actor,
  { id: organisation, name }: OrganisationInScope,
  { certificate, receipts }: BodyOf<typeof accounting.certifyTds>,
): Promise<void> {
  const { rows: found } = await selectReceipts(tx, organisation, receipts)
  if (found.length < receipts.length) throw notFound('deduction')
  const { rows: entries } = await selectDeductionNamed(tx, organisation, certificate)
  if (entries.length > 0) throw conflict(`${name} already has the TDS certificate ${certificate}.`)
  await tx
    .insertInto('tds_certificate')
    .values(receipts.map((entry) => ({ organisation_id: organisation, entry, certificate, recorded_by: email })))
    .onConflict((on) =>
      on.columns(['organisation_id', 'entry']).doUpdateSet({
        certificate,
        recorded_by: email,
        recorded_at: sql<Date>`portal_now()`,
      }),
    )
    .execute()
}

/** True if a certificate whose number looks the same is recorded for a deduction. */
export async function isCertificateOfReceipt(
  db: Db,
  organisation: OrganisationId,
  certificate: string,
): Promise<boolean> {
  const { rows } = await selectCertificate(db, organisation, certificate)
  return rows.length > 0
}
