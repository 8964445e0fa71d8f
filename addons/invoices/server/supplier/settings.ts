import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import { isOverdueOrder } from '../../contract/payment-terms.ts'
import type { supplier, SupplierSettings } from '../../contract/supplier.ts'
import { pinProblem } from '@trainyard/organisations/contract/gst.ts'
import { conflict, Problem } from '@trainyard/platform/server/core/errors.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { selectUsedPrefix } from './queries.ts'

type Changes = BodyOf<typeof supplier.change>

export async function supplierSettings(db: Db): Promise<SupplierSettings> {
  const row = await db.selectFrom('supplier').selectAll().executeTakeFirstOrThrow()
  const undertakings = await db.selectFrom('undertaking').selectAll().orderBy('financial_year').execute()
  const rates = await db.selectFrom('tax_rate').selectAll().orderBy('valid_from').execute()
  return {
    legalName: row.legal_name,
    gstin: row.gstin,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    pin: row.pin,
    state: row.state,
    email: row.email,
    phone: row.phone,
    bankName: row.bank_name,
    accountName: row.account_name,
    accountNumber: row.account_number,
    ifsc: row.ifsc,
    signatory: row.signatory,
    cin: row.cin,
    undertakings: undertakings.map(({ financial_year, number }) => ({ year: financial_year, number })),
    sac: row.sac,
    invoicePrefix: row.invoice_prefix,
    creditNotePrefix: row.credit_note_prefix,
    receiptPrefix: row.receipt_prefix,
    refundPrefix: row.refund_prefix,
    financialNotePrefix: row.financial_note_prefix,
    debitNotePrefix: row.debit_note_prefix,
    vouchersFrom: row.vouchers_from,
    turnover: row.turnover,
    issuing: row.issuing,
    issueDay: row.issue_day,
    firstMonth: row.first_month?.slice(0, 7) ?? null,
    reminders: row.reminders,
    paymentDays: row.payment_days,
    reminderDays: row.reminder_days,
    warnDays: row.warn_days,
    holdDays: row.hold_days,
    stopDays: row.stop_days,
    rates: rates.map(({ valid_from, basis_points }) => ({ from: valid_from, basisPoints: basis_points })),
  }
}

/** Locks the supplier: shared to issue documents, exclusively to change settings. */
export async function lockSupplier(tx: Tx, to: 'use' | 'change'): Promise<void> {
  await tx
    .selectFrom('supplier')
    .select('single')
    .$if(to === 'use', (row) => row.forShare())
    .$if(to === 'change', (row) => row.forUpdate())
    .executeTakeFirstOrThrow()
}

/** @throws Problem conflict, or invalid for contradictory settings */
export async function changeSupplier(tx: Tx, changes: Changes): Promise<void> {
  const { rates, undertakings, firstMonth, ...fields } = changes
  const { warnDays, holdDays, stopDays, pin, state } = { ...(await supplierSettings(tx)), ...changes }
  const problem = fields.pin === undefined && fields.state === undefined ? null : pinProblem(pin, state)
  if (problem !== null) throw new Problem('invalid', problem)
  if (!isOverdueOrder({ warnDays, holdDays, stopDays })) {
    throw new Problem('invalid', 'The steps for overdue invoices must begin in the order warn, hold, stop.')
  }
  await tx
    .updateTable('supplier')
    .set({
      legal_name: fields.legalName,
      gstin: fields.gstin,
      address_line1: fields.addressLine1,
      address_line2: fields.addressLine2,
      city: fields.city,
      pin: fields.pin,
      state: fields.state,
      email: fields.email,
      phone: fields.phone,
      bank_name: fields.bankName,
      account_name: fields.accountName,
      account_number: fields.accountNumber,
      ifsc: fields.ifsc,
      signatory: fields.signatory,
      cin: fields.cin,
      vouchers_from: fields.vouchersFrom,
      sac: fields.sac,
      turnover: fields.turnover,
      issuing: fields.issuing,
      issue_day: fields.issueDay,
      reminders: fields.reminders,
      payment_days: fields.paymentDays,
      reminder_days: fields.reminderDays,
      warn_days: fields.warnDays,
      hold_days: fields.holdDays,
      stop_days: fields.stopDays,
    })
    .set({ first_month: firstMonth === undefined || firstMonth === null ? firstMonth : `${firstMonth}-01` })
    // At least one column is always set. Otherwise an update that changes only the rates would have an empty SET list.
    .set({ single: true })
    .execute()
  await changeSeries(tx, changes)
  if (rates !== undefined) await changeRates(tx, rates)
  if (undertakings === undefined) return
  await tx.deleteFrom('undertaking').execute()
  if (undertakings.length === 0) return
  await tx
    .insertInto('undertaking')
    .values(undertakings.map(({ year, number }) => ({ financial_year: year, number })))
    .execute()
}

async function changeSeries(tx: Tx, changes: Changes): Promise<void> {
  const current = await supplierSettings(tx)
  const invoice = changes.invoicePrefix ?? current.invoicePrefix
  const creditNote = changes.creditNotePrefix ?? current.creditNotePrefix
  const receipt = changes.receiptPrefix ?? current.receiptPrefix
  const refund = changes.refundPrefix ?? current.refundPrefix
  const financialNote = changes.financialNotePrefix ?? current.financialNotePrefix
  const debitNote = changes.debitNotePrefix ?? current.debitNotePrefix
  const prefixes = [invoice, creditNote, receipt, refund, financialNote, debitNote]
  if (new Set(prefixes).size < prefixes.length) {
    throw new Problem(
      'invalid',
      'Invoices, credit notes, receipt vouchers, refund vouchers, financial credit notes and debit notes each need their own prefix.',
    )
  }
  await tx
    .updateTable('supplier')
    .set({
      invoice_prefix: invoice,
      credit_note_prefix: creditNote,
      receipt_prefix: receipt,
      refund_prefix: refund,
      financial_note_prefix: financialNote,
      debit_note_prefix: debitNote,
    })
    .execute()
  if (current.gstin === null) return
  // Document numbers are unique in the whole portal, so a second GST registration needs its own series.
  const { rows } = await selectUsedPrefix(tx, prefixes, current.gstin)
  if (rows.length > 0) {
    throw conflict(`Another GST number has issued documents with the prefix ${rows[0]!.prefix}. Choose another prefix.`)
  }
}

async function changeRates(tx: Tx, rates: SupplierSettings['rates']): Promise<void> {
  if (new Set(rates.map(({ from }) => from)).size < rates.length) {
    throw new Problem('invalid', 'Two tax rates start on the same day.')
  }
  await tx.deleteFrom('tax_rate').execute()
  if (rates.length === 0) return
  await tx
    .insertInto('tax_rate')
    .values(rates.map(({ from, basisPoints }) => ({ valid_from: from, basis_points: basisPoints })))
    .execute()
}
