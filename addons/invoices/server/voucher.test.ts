import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TaxDocument } from '../contract/invoice.ts'
import { paise } from '@trainyard/platform/contract/words/money.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { addCustomer, addSuperadmin, ADDRESS, SETTINGS, setClock, type TestCustomer } from '../test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { customerNamed, SUPPLIER } from '../test/tax-documents.ts'
import { untilWaitingForLock } from '@trainyard/platform/test/lock-waits.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { addEntry } from '@trainyard/ledger/server/entries.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { lockCharging } from '@trainyard/usage/server/months.ts'
import { receiptVoucherOf, refundVoucherOf } from './voucher.ts'
import { issueDueVouchers } from './vouchers.ts'

const env = await sharedEnvironment()
const { portal } = env
const { db } = portal.app
const jobs = jobQueueIn(db)
const run = (signal = new AbortController().signal) => issueDueVouchers(db, jobs, signal)
let root: string

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await settings(SETTINGS)
})

async function settings(changes: object): Promise<void> {
  const reply = await portal.request('PATCH', '/admin/supplier', { uid: root, body: changes })
  expect(reply.status).toBe(200)
}

const entry = (
  { id }: TestCustomer,
  kind: 'invoice' | 'payment' | 'refund',
  reference: string,
  rupees: number,
  more: { refundOf?: string; date?: string } = {},
) =>
  db.transaction().execute((tx) =>
    addEntry(tx, {
      organisation: id,
      kind,
      reference,
      particular: reference,
      amount: paise(rupees * 100),
      date: '2026-11-05',
      source: 'manual',
      by: 'root@portal.test',
      ...more,
    }),
  )

const read = async (number: string, uid = root) => {
  const reply = await portal.request('GET', '/admin/invoice', { uid, query: { number } })
  return { status: reply.status, body: (await reply.json()) as { document: TaxDocument; notes: string[] } }
}
const documentOf = async (number: string) => (await read(number)).body.document

describe('vouchers', () => {
  test('split every payment and refund into tax and taxable value exactly to the paisa', () => {
    const places = fc.constantFrom(
      { state: '29' },
      { state: '27' },
      { gst: '29AABCR1718E1ZL' },
      { place: 'sez' as const },
      { place: 'abroad' as const, country: 'AE' },
    )
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 1_000_000_000 }),
        fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 5 }),
        fc.constantFrom(0, 25, 500, 1800, 2800),
        places,
        fc.constantFrom(null, 'AD290326000001A'),
        (advance, parts, rate, place, undertaking) => {
          const customer = customerNamed('x' as OrganisationId, 'Customer', place)
          const payment = { number: 'pay_1', date: '2026-11-05' }
          const undertakings = undertaking === null ? [] : [{ year: '26-27', number: undertaking }]
          const supplier = { ...SUPPLIER, undertakings }
          const voucher = receiptVoucherOf(supplier, customer, payment, paise(advance), rate)
          expect(voucher.totals.totalPaise).toBe(advance)
          // The amount includes the tax (CGST Rules 50 (g), (h)). It is compared with the exact fraction, within one
          // paisa per head.
          const tax = voucher.totals.cgstPaise + voucher.totals.sgstPaise + voucher.totals.igstPaise
          const isFree = undertaking !== null && 'place' in place
          expect(Math.abs(tax - (isFree ? 0 : (advance * rate) / (10_000 + rate)))).toBeLessThanOrEqual(1.5)
          expect(Math.abs(voucher.totals.roundOffPaise)).toBeLessThanOrEqual(1)
          const notes: TaxDocument[] = []
          let left = advance
          for (const part of [...parts, 1]) {
            const back = Math.max(1, Math.floor(left * part))
            if (left === 0) break
            notes.push({
              ...refundVoucherOf(voucher, notes, { number: 'rfnd_1', date: '2026-11-06' }, paise(back)),
              number: `RFV/26-27/0000${notes.length + 1}`,
            })
            expect(notes.at(-1)!.totals.totalPaise).toBe(back)
            left -= back
          }
          const sum = (of: keyof TaxDocument['totals']) => notes.reduce((all, { totals }) => all + totals[of], 0)
          expect([sum('taxablePaise'), sum('cgstPaise'), sum('igstPaise'), sum('totalPaise')]).toEqual([
            voucher.totals.taxablePaise,
            voucher.totals.cgstPaise,
            voucher.totals.igstPaise,
            advance,
          ])
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('prepaid money', () => {
  test('gets no voucher before the start date in the supplier settings', async () => {
    const customer = await addCustomer(portal, 'Early Bird', 0)
    await entry(customer, 'payment', 'early-1', 1_000)
    expect(await run()).toEqual([])
    await settings({ vouchersFrom: '2026-11-06' })
    expect(await run()).toEqual([])
    await settings({ vouchersFrom: '2026-11-05' })
    expect(await run(AbortSignal.abort())).toEqual([])
    expect(await run()).toEqual(['RCV/26-27/00001'])
    expect(await run()).toEqual([])
    const document = await documentOf('RCV/26-27/00001')
    expect(document).toMatchObject({
      kind: 'receipt voucher',
      date: '2026-11-05',
      of: { number: 'early-1', date: '2026-11-05' },
      placeOfSupply: { code: '29', name: 'Karnataka' },
      totals: { taxablePaise: 84_746, cgstPaise: 7_627, sgstPaise: 7_627, igstPaise: 0, totalPaise: 100_000 },
    })
    expect(await balanceOf(db, customer.id)).toBe(-100_000)
    const { rows } = await sql<{ detail: object; organisation_id: string }>`
      select detail, organisation_id from audit where call = 'invoice.voucher'`.execute(db)
    expect(JSON.stringify(rows)).toContain('RCV/26-27/00001')
    expect(rows.map(({ organisation_id }) => organisation_id)).toEqual([customer.id])
  })

  test('is the part of a payment that no invoice is due for', async () => {
    const customer = await addCustomer(portal, 'Half Ahead', 0)
    await entry(customer, 'invoice', 'H-1', 700)
    await entry(customer, 'payment', 'half-1', 500)
    await entry(customer, 'payment', 'half-2', 500)
    // An invoice that a user adds later does not use up earlier payments.
    await entry(customer, 'invoice', 'H-2', 10_000)
    const [number, ...more] = await run()
    expect(more).toEqual([])
    expect(await documentOf(number!)).toMatchObject({ of: { number: 'half-2' }, totals: { totalPaise: 30_000 } })
  })

  test('gets its voucher as soon as the customer can be invoiced', async () => {
    const customer = await addCustomer(portal, 'No Address', 0, { ...ADDRESS, addressLine1: null })
    await entry(customer, 'payment', 'none-1', 100)
    expect(await run()).toEqual([])
    await db
      .updateTable('organisation_billing')
      .set({ address_line1: '4 MG Road' })
      .where('organisation_id', '=', customer.id)
      .execute()
    expect(await run()).toHaveLength(1)
  })

  test('gets one voucher per payment, numbered without gaps, from concurrent workers', async () => {
    const customers = await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const customer = await addCustomer(portal, `At Once ${index}`, 0)
        await entry(customer, 'payment', `once-${index}`, 250 + index)
        return customer
      }),
    )
    const numbers = (await Promise.all(Array.from({ length: 4 }, () => run()))).flat()
    expect(new Set(numbers).size).toBe(customers.length)
    expect(numbers).toHaveLength(customers.length)
    expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
  })
})

describe('refunds and exceptional cases', () => {
  test('issues no voucher for money used up by an invoice that was issued concurrently', async () => {
    const customer = await addCustomer(portal, 'Concurrent Invoice', 0)
    let running: Promise<string[]>
    await db.transaction().execute(async (tx) => {
      await lockCharging(tx, customer.id)
      await setClock(portal, '2026-11-05T06:00:01Z')
      await entry(customer, 'payment', 'concurrent-1', 500)
      running = run()
      await untilWaitingForLock(portal.owner, 1)
      await setClock(portal, '2026-11-05T06:00:00Z')
      await addEntry(tx, {
        organisation: customer.id,
        kind: 'invoice',
        reference: 'CONCURRENT-1',
        particular: 'CONCURRENT-1',
        amount: paise(50_000),
        date: '2026-11-05',
        source: 'manual',
        by: 'root@portal.test',
      })
    })
    expect(await running!).toEqual([])
  })

  test('continues with other customers when one voucher fails', async () => {
    const customers = [await addCustomer(portal, 'Unwritten', 0), await addCustomer(portal, 'Written', 0)] as const
    for (const [place, customer] of customers.entries()) await entry(customer, 'payment', `written-${place}`, 118)
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`.execute(
      portal.owner,
    )
    await sql`create trigger refuse before insert on tax_document for each row
      when (new.organisation_id = ${sql.lit(customers[0].id)}) execute function refuse()`.execute(portal.owner)
    const paymentsWithVoucher = async () =>
      (await db.selectFrom('tax_document').select('payment').where('payment', 'like', 'written-%').execute()).map(
        ({ payment }) => payment,
      )
    await expect(run()).rejects.toThrow('not this one')
    expect(await paymentsWithVoucher()).toEqual(['written-1'])
    await sql`drop trigger refuse on tax_document`.execute(portal.owner)
    expect(await run()).toHaveLength(1)
    expect(new Set(await paymentsWithVoucher())).toEqual(new Set(['written-0', 'written-1']))
  })

  test('issues a refund voucher against the receipt voucher, up to the amount that is still prepaid', async () => {
    const customer = await addCustomer(portal, 'Paid Back', 0, { ...ADDRESS, state: '27', pin: '400001' })
    await entry(customer, 'payment', 'back-1', 1_000)
    const [receipt] = await run()
    await entry(customer, 'refund', 'back-r1', 300, { refundOf: 'back-1' })
    const [first] = await run()
    expect(await documentOf(first!)).toMatchObject({
      kind: 'refund voucher',
      number: 'RFV/26-27/00001',
      of: { number: receipt, date: '2026-11-05' },
      reason: 'Refund back-r1',
      totals: { taxablePaise: 25_424, cgstPaise: 0, igstPaise: 4_576, totalPaise: 30_000 },
    })
    // An invoice uses 500 of the remaining 700, so 200 of a refund of 700 were prepaid.
    await entry(customer, 'invoice', 'B-1', 500)
    await entry(customer, 'refund', 'back-r2', 700, { refundOf: 'back-1' })
    const [second] = await run()
    expect(await documentOf(second!)).toMatchObject({ reason: 'Refund back-r2', totals: { totalPaise: 20_000 } })
    expect(await run()).toEqual([])
    expect((await read(receipt!)).body.notes).toEqual([first, second])
    expect(await balanceOf(db, customer.id)).toBe(50_000)
    expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
  })

  test('issues no refund voucher for a payment without a receipt voucher', async () => {
    const customer = await addCustomer(portal, 'Owed Before', 0)
    await entry(customer, 'invoice', 'O-1', 500)
    await entry(customer, 'payment', 'owed-1', 500)
    await entry(customer, 'refund', 'owed-r1', 500, { refundOf: 'owed-1' })
    expect(await run()).toEqual([])
  })

  test('limits refund vouchers to the receipt voucher in the database', async () => {
    const columns = sql`organisation_id, kind, supplier_gstin, prefix, financial_year, serial, issued_on, of_document,
      refund, refund_kind, taxable_paise, cgst_paise, sgst_paise, igst_paise, round_off_paise, total_paise, content, pdf,
      created_by`
    const again = sql`
      insert into tax_document (${columns})
      select organisation_id, kind, supplier_gstin, prefix, financial_year, (select max(serial) + 1 from tax_document
          where prefix = 'RFV'), issued_on, of_document, 'another', null, taxable_paise, cgst_paise, sgst_paise,
        igst_paise, round_off_paise, total_paise, content, pdf, created_by
      from tax_document where kind = 'refund voucher' order by total_paise desc limit 1`
    await expect(again.execute(portal.owner)).rejects.toThrow(/check constraint/)
    const over = sql`
      insert into tax_document (${columns})
      select organisation_id, kind, supplier_gstin, prefix, financial_year, (select max(serial) + 1 from tax_document
          where prefix = 'RFV'), issued_on, of_document, 'another', 'refund', taxable_paise * 4, cgst_paise * 4,
        sgst_paise * 4, igst_paise * 4, 0, taxable_paise * 4 + igst_paise * 4, content, pdf, created_by
      from tax_document where kind = 'refund voucher' order by total_paise desc limit 1`
    await expect(over.execute(portal.owner)).rejects.toThrow(/Corrections exceed the amounts of RCV/)
  })
})

describe('issued voucher', () => {
  test("is readable by the customer's admin as page and PDF only, and has no INV-01 form", async () => {
    const customer = await addCustomer(portal, 'Reads It', 0)
    const other = await addCustomer(portal, 'Other One', 0)
    await entry(customer, 'payment', 'reads-1', 1_180)
    const [number] = await run()
    const [own, foreign] = [await portal.sessionOf(customer.admin), await portal.sessionOf(other.admin)]
    expect((await read(number!, own)).body.document.totals).toMatchObject({ taxablePaise: 100_000, cgstPaise: 9_000 })
    expect((await read(number!, foreign)).status).toBe(404)
    const file = (call: 'pdf' | 'json') =>
      portal.request('POST', `/admin/invoice/${call}`, { uid: own, body: { number } })
    const text = await pdfText(Buffer.from(await (await file('pdf')).arrayBuffer()))
    for (const fact of ['Receipt Voucher', 'For payment', 'reads-1', '₹1,180.00', '₹90.00 at 9%', 'Reverse charge'])
      expect(text).toContain(fact)
    const json = await file('json')
    expect([json.status, ((await json.json()) as { message: string }).message]).toEqual([
      409,
      'Vouchers have no INV-01 form.',
    ])
  })
})
