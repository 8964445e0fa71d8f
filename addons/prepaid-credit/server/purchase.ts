import { sql } from 'kysely'
import { undertakingOn, rateOn } from '@trainyard/invoices/server/supplier/readiness.ts'
import { supplierSettings } from '@trainyard/invoices/server/supplier/settings.ts'
import type { OrganisationId, PrepaidAccountId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { formatRupees, type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { AnswerTo } from '@trainyard/platform/server/core/events.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import type { PrepaidAccountRow } from '../tables.gen.ts'
import { taxStatusOn } from '@trainyard/invoices/server/tax-status.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import type { capturedFor, purpose } from '@trainyard/payments/server/purpose.ts'
import { prepaidStateOf, usedBy } from './prepaid.ts'
import { beforeTax } from '@trainyard/invoices/server/gst/tax.ts'
import { upsertAccount, insertPurchase, makeAccountDue, updateRefreshed } from './queries.ts'
import { allMachinesChanged } from '@trainyard/trainings/server/machine-changes.ts'

export interface PrepaidAccountOwner {
  readonly organisation: OrganisationId
  /** Null for all trainings without a separate account. */
  readonly training: TrainingId | null
}

/**
 * Returns the rate of tax on usage of an organisation on a day, in basis points; 0 if its supplies bear no tax.
 * @param day YYYY-MM-DD
 */
export async function taxRateOf(db: Db, organisation: OrganisationId, day: string): Promise<number> {
  const settings = await supplierSettings(db)
  const { place } = await taxStatusOn(db, organisation, day)
  if (place !== 'india' && undertakingOn(settings, day) !== null) return 0
  return rateOn(settings, day) ?? 0
}

/**
 * Creates the account unless it exists. Its usage counts from now. The account of a training copies the terms of the
 * organisation's account, so that buying a little credit for a training does not end the hard limit for it.
 */
export async function ensurePrepaidAccount(
  tx: Tx,
  { organisation, training }: PrepaidAccountOwner,
): Promise<PrepaidAccountId> {
  await upsertAccount(tx, training, organisation)
  const { id } = await tx
    .selectFrom('prepaid_account')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('training_id', 'is not distinct from', training)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Adds the credit that a payment buys. It is the part of the payment that no due invoice uses, less tax at the rate on
 * the day of the payment, as on the receipt voucher. The payment's entry was added in this transaction.
 * @returns the part of the payment, with tax; 0 if invoices were due for all of it
 */
export async function addPurchase(
  tx: Tx,
  of: PrepaidAccountOwner,
  { payment, amount }: { readonly payment: string; readonly amount: Paise },
): Promise<Paise> {
  const { organisation } = of
  const gross = paise(Math.min(amount, Math.max(0, 0 - (await balanceOf(tx, organisation)))))
  const { date } = await tx
    .selectFrom('ledger_entry')
    .select(sql<string>`to_char(date, 'YYYY-MM-DD')`.as('date'))
    .where('organisation_id', '=', organisation)
    .where('kind', '=', 'payment')
    .where('reference', '=', payment)
    .executeTakeFirstOrThrow()
  const credit = beforeTax(gross, await taxRateOf(tx, organisation, date))
  if (credit === 0) return paise(0)
  const account = await ensurePrepaidAccount(tx, of)
  const row = await tx
    .selectFrom('prepaid_account')
    .selectAll()
    .where('id', '=', account)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await insertPurchase(tx, { payment, gross, credit, used: await usedBy(tx, row), account })
  await makeAccountDue(tx, account)
  return gross
}

/**
 * Adds the credit that a payment buys, so that machines can be started at once. The payment's entry was added in this
 * transaction.
 * @returns a sentence for the user who recorded the payment
 */
export async function buyPrepaidCredit(
  tx: Tx,
  of: PrepaidAccountOwner,
  bought: { readonly payment: string; readonly amount: Paise },
): Promise<string> {
  const gross = await addPurchase(tx, of, bought)
  if (gross > 0) await refreshed(tx, of)
  return purchaseSentence(bought.payment, gross, bought.amount)
}

const purchaseSentence = (payment: string, gross: Paise, amount: Paise): string => {
  if (gross === amount) return `Payment ${payment} recorded as prepaid credit.`
  if (gross === 0) return `Payment ${payment} recorded. It settles what is owed; nothing is left for prepaid credit.`
  return `Payment ${payment} recorded. ${formatRupees(gross / 100)} of it are prepaid credit, the rest settles what is owed.`
}

/** @throws Problem notFound without an account */
export async function prepaidAccountRow(
  tx: Tx,
  { organisation, training }: PrepaidAccountOwner,
): Promise<PrepaidAccountRow> {
  const row = await tx
    .selectFrom('prepaid_account')
    .selectAll()
    .where('organisation_id', '=', organisation)
    .where('training_id', 'is not distinct from', training)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound('prepaid credit')
  return row
}

/**
 * Ends the states low and used up of an account that has credit again, so that a start right after a purchase is not
 * refused. The worker evaluates the account and notifies admins.
 */
export async function refreshed(tx: Tx, of: PrepaidAccountOwner): Promise<PrepaidAccountRow> {
  const account = await prepaidAccountRow(tx, of)
  const { left } = await prepaidStateOf(tx, account)
  await updateRefreshed(tx, left, account.id)
  if (account.hard_limit && account.used_up_at !== null && left > 0)
    await allMachinesChanged(tx, account.organisation_id)
  return prepaidAccountRow(tx, of)
}

/** Returns prepaid credit as the purpose of an order. @throws Problem notFound for an unknown training */
export const creditToBuy: AnswerTo<typeof purpose> = async (db, { organisation, body: { prepaid } }) => {
  if (prepaid === undefined) return null
  const { trainingName } = prepaid
  const training = trainingName === null ? null : await trainingOf(db, organisation, trainingName)
  return { order: null, columns: { prepaid: true, prepaid_training: training } }
}

/** Says that the money of an order buys credit. */
export const capturedForCredit: AnswerTo<typeof capturedFor> = (tx, { payment, amount, particular }) => {
  const { organisation_id: organisation, prepaid, prepaid_training: training, settles } = payment
  if (!prepaid) return Promise.resolve(null)
  return Promise.resolve({
    particular,
    settles,
    async complete(id) {
      await addPurchase(tx, { organisation, training }, { payment: id, amount: paise(amount) })
      return null
    },
  })
}

/** @throws Problem notFound unless the organisation has this training */
export async function trainingOf(
  db: Db,
  organisation: PrepaidAccountOwner['organisation'],
  name: string,
): Promise<TrainingId> {
  const found = await db
    .selectFrom('training')
    .select('id')
    .where('organisation_id', '=', organisation)
    .where('name', '=', name)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (found === undefined) throw notFound('training')
  return found.id
}
