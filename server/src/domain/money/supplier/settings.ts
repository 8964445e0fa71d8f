import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { supplier, SupplierSettings } from '@trainyard/contract/calls/supplier.ts'
import { conflict, Problem } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/schema.ts'

type Changes = BodyOf<typeof supplier.change>

/** Returns the supplier's settings as the calls have them. */
export async function supplierSettings(db: Db): Promise<SupplierSettings> {
  const row = await db.selectFrom('supplier').selectAll().executeTakeFirstOrThrow()
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
    undertaking: row.undertaking,
    sac: row.sac,
    invoicePrefix: row.invoice_prefix,
    creditNotePrefix: row.credit_note_prefix,
    receiptPrefix: row.receipt_prefix,
    refundPrefix: row.refund_prefix,
    vouchersFrom: row.vouchers_from,
    issuing: row.issuing,
    issueDay: row.issue_day,
    firstMonth: row.first_month?.slice(0, 7) ?? null,
    reminders: row.reminders,
    paymentDays: row.payment_days,
    reminderDays: row.reminder_days,
    rates: rates.map(({ valid_from, basis_points }) => ({ from: valid_from, basisPoints: basis_points })),
  }
}

/** Holds the settings until the transaction ends: to change them, or to issue by them. */
export async function holdSupplier(tx: Tx, to: 'use' | 'change'): Promise<void> {
  await tx
    .selectFrom('supplier')
    .select('single')
    .$if(to === 'use', (row) => row.forShare())
    .$if(to === 'change', (row) => row.forUpdate())
    .executeTakeFirstOrThrow()
}

/** @throws Problem conflict, or invalid for settings that can't stand together */
export async function changeSupplier(tx: Tx, changes: Changes): Promise<void> {
  const { rates, firstMonth, ...named } = changes
  await tx
    .updateTable('supplier')
    .set({
      legal_name: named.legalName,
      gstin: named.gstin,
      address_line1: named.addressLine1,
      address_line2: named.addressLine2,
      city: named.city,
      pin: named.pin,
      state: named.state,
      email: named.email,
      phone: named.phone,
      bank_name: named.bankName,
      account_name: named.accountName,
      account_number: named.accountNumber,
      ifsc: named.ifsc,
      signatory: named.signatory,
      undertaking: named.undertaking,
      vouchers_from: named.vouchersFrom,
      sac: named.sac,
      issuing: named.issuing,
      issue_day: named.issueDay,
      reminders: named.reminders,
      payment_days: named.paymentDays,
      reminder_days: named.reminderDays,
    })
    .set({ first_month: firstMonth === undefined || firstMonth === null ? firstMonth : `${firstMonth}-01` })
    // Something is always set: a list of rates alone would leave the row as it is.
    .set({ single: true })
    .execute()
  await changeSeries(tx, changes)
  if (rates !== undefined) await changeRates(tx, rates)
}

async function changeSeries(tx: Tx, changes: Changes): Promise<void> {
  const now = await supplierSettings(tx)
  const invoice = changes.invoicePrefix ?? now.invoicePrefix
  const creditNote = changes.creditNotePrefix ?? now.creditNotePrefix
  const receipt = changes.receiptPrefix ?? now.receiptPrefix
  const refund = changes.refundPrefix ?? now.refundPrefix
  const prefixes = [invoice, creditNote, receipt, refund]
  if (new Set(prefixes).size < prefixes.length) {
    throw new Problem('invalid', 'Invoices, credit notes, receipt and refund vouchers need a prefix each.')
  }
  await tx
    .updateTable('supplier')
    .set({ invoice_prefix: invoice, credit_note_prefix: creditNote, receipt_prefix: receipt, refund_prefix: refund })
    .execute()
  if (now.gstin === null) return
  // Numbers are unique in the whole portal: a second registration begins series of its own.
  const { rows } = await sql<{ prefix: string }>`
    select prefix from document_series where prefix = any(${prefixes}::text[])
      and supplier_gstin <> ${now.gstin} and last_serial > 0 limit 1`.execute(tx)
  if (rows.length > 0) {
    throw conflict(`Another GST number has issued documents with the prefix ${rows[0]!.prefix}. Choose another prefix.`)
  }
}

async function changeRates(tx: Tx, rates: SupplierSettings['rates']): Promise<void> {
  if (new Set(rates.map(({ from }) => from)).size < rates.length) {
    throw new Problem('invalid', 'Two rates of tax begin on one day.')
  }
  await tx.deleteFrom('tax_rate').execute()
  if (rates.length === 0) return
  await tx
    .insertInto('tax_rate')
    .values(rates.map(({ from, basisPoints }) => ({ valid_from: from, basis_points: basisPoints })))
    .execute()
}
