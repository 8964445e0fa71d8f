import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatRupees, type Paise, paise } from '@trainyard/platform/contract/words/money.ts'
import type { MachineId, OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { AccountStatement } from '../contract/books.ts'
import { addCustomer } from '@trainyard/invoices/test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { customerNamed, SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { creditNoteOf } from '@trainyard/invoices/server/credit-note.ts'
import type { Customer } from '@trainyard/invoices/server/customer.ts'
import { invoiceOf } from '@trainyard/invoices/server/document.ts'
import { documentInScope } from '@trainyard/invoices/server/read.ts'
import { issueDocument } from '@trainyard/invoices/server/store.ts'
import { addEntry, type NewEntry } from '@trainyard/ledger/server/entries.ts'
import { chargeLines } from '@trainyard/invoices/server/charging.ts'

const env = await sharedEnvironment()
const { db } = env.portal.app
const NAME = '=HYPERLINK("http://evil.test","Books, Academy")'
const jobs = { enqueue: async () => {} }

type Ask = Awaited<ReturnType<typeof env.signIn>>
let organisation: OrganisationId
let machineId: MachineId
let root: Ask
let admin: Ask
let adminToken: string
let rootToken: string
let invoices: string[]
let note: string

/** Issues an invoice with uneven amounts for the next unused month. */
const issue = (more: Partial<Customer>, ...taxable: number[]) =>
  db.transaction().execute(async (tx) => {
    const billed = taxable.map((taxablePaise, index) => ({ description: `Labs ${index}`, taxablePaise }))
    const month = `20${29 + Math.floor(issued / 12)}-${String((issued++ % 12) + 1).padStart(2, '0')}`
    const document = invoiceOf(
      SUPPLIER,
      customerNamed(organisation, NAME, more),
      month,
      billed,
      [],
      1800,
      `${month}-01`,
    )
    const number = await issueDocument(tx, jobs, { organisation, document, prefix: 'BKS', by: 'test' })
    const amount = paise(taxable.reduce((sum, each) => sum + each, 0))
    await chargeLines(tx, organisation, number, [
      {
        month: `${month}-01`,
        machineId,
        machine: 'machine',
        training: NAME,
        seconds: 3600,
        amount,
        beforeChange: paise(0),
      },
    ])
    return number
  })
let issued = 0

const enter = (entry: Pick<NewEntry, 'kind' | 'reference' | 'date'> & { readonly amount: Paise } & Partial<NewEntry>) =>
  db.transaction().execute((tx) =>
    addEntry(tx, {
      organisation,
      particular: `Entry ${entry.reference}`,
      source: 'manual',
      by: 'test',
      ...entry,
    }),
  )

async function file(path: string, body: object, uid: string): Promise<Buffer> {
  const reply = await env.portal.request('POST', path, { uid, body })
  expect([reply.status, path]).toEqual([200, path])
  return Buffer.from(await reply.arrayBuffer())
}

const exported = async (books: 'tally' | 'zoho', what: string): Promise<Record<string, string>[]> => {
  const whole = { books, what, from: '2020-01-01', to: '2099-12-31', organization: NAME }
  return parse(await file('/admin/ledger/export', whole, rootToken), { bom: true, columns: true })
}

const xmlFile = async (what: string): Promise<string> => {
  const whole = { books: 'tally xml', what, from: '2020-01-01', to: '2099-12-31', organization: NAME }
  return (await file('/admin/ledger/export', whole, rootToken)).toString()
}
const blocks = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>.*?</${name}>`, 'gs'))].map(([block]) => block)
const leafOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]

const inPaise = (text: string): number => {
  expect(text).toMatch(/^-?\d+\.\d{2}$/)
  return Number(text.replace('.', ''))
}

beforeAll(async () => {
  organisation = (await addCustomer(env.portal, NAME, 1)).id
  machineId = (
    await db.selectFrom('machine').select('id').where('organisation_id', '=', organisation).executeTakeFirstOrThrow()
  ).id
  const numbers = []
  numbers.push(await issue({ gst: '29AABCR1718E1ZL' }, 100_01, 333_33))
  numbers.push(await issue({ gst: null, state: '27' }, 999_99))
  numbers.push(await issue({ place: 'abroad', country: 'AE', state: null, pin: null }, 50_50))
  numbers.push(await issue({ place: 'sez', gst: '29AABCR1718E1ZL' }, 7_77))
  invoices = numbers
  root = await env.signIn('superadmin', 'books-root@portal.test', null)
  rootToken = (await env.credentials('books-root@portal.test')).token
  admin = await env.signIn('admin', 'books@own.test', organisation)
  adminToken = (await env.credentials('books@own.test')).token
  note = await db.transaction().execute(async (tx) => {
    const superadmin = { role: 'superadmin', organisation: null } as never
    const { id, document } = await documentInScope(tx, superadmin, invoices[0]!)
    const credit = creditNoteOf(document, [], [{ item: 2, paise: paise(111_11) }], '-2+3 was wrong')
    return issueDocument(tx, jobs, { organisation, document: credit, prefix: 'BKC', ofDocument: id, by: 'test' })
  })
  await enter({ kind: 'invoice', reference: 'HAND-1', date: '2025-03-31', amount: paise(500_00) })
  await enter({ kind: 'payment', reference: '@pay', date: '2025-04-01', amount: paise(200_29) })
  await enter({ kind: 'payment', reference: 'NEFT 1', date: '2025-04-30', amount: paise(100_00) })
  await enter({ kind: 'refund', reference: 'rfnd_1', date: '2025-05-02', amount: paise(50_29), refundOf: '@pay' })
  const tds = { section: '194J', year: '25-26', quarter: 1 }
  await enter({ kind: 'tds', reference: 'CERT1', date: '2025-05-31', amount: paise(10_01), tds })
  for (const name of ['books b', 'Books A', 'Books C', 'books a2']) {
    const other = await env.organisation(name)
    await enter({ kind: 'payment', organisation: other, reference: name, date: '2021-01-01', amount: paise(1_00) })
  }
})

describe('export', () => {
  test('for Tally has each entry once, as a voucher that balances to the paisa', async () => {
    const files = await Promise.all(
      ['invoices', 'credit notes', 'payments', 'refunds'].map((what) => exported('tally', what)),
    )
    const vouchers = Map.groupBy(files.flat(), (line) => `${line['Voucher Type Name']} ${line['Voucher Number']}`)
    expect([...vouchers.keys()].toSorted()).toEqual(
      [
        ...invoices.map((number) => `Sales ${number}`),
        'Sales HAND-1',
        `Credit Note ${note}`,
        "Receipt '@pay",
        'Receipt NEFT 1',
        'Journal CERT1',
        'Payment rfnd_1',
      ].toSorted(),
    )
    for (const [voucher, lines] of vouchers) {
      const sum = lines.reduce(
        (total, line) => total + inPaise(line['Ledger Amount']!) * (line['Ledger Amount Dr/Cr'] === 'Dr' ? 1 : -1),
        0,
      )
      expect([voucher, sum]).toEqual([voucher, 0])
      expect(lines[0]!['Voucher Date']).toMatch(/^\d{2}-\d{2}-\d{4}$/)
    }
    const ledgers = (number: string) =>
      vouchers.get(`Sales ${number}`)!.map((line) => [line['Ledger Name'], line['Ledger Amount']])
    expect(ledgers(invoices[0]!)).toEqual([
      [`'${NAME}`, '511.00'],
      ['Sales', '433.34'],
      ['Output CGST', '39.00'],
      ['Output SGST', '39.00'],
      ['Round Off', '0.34'],
    ])
    expect(ledgers(invoices[1]!).map(([ledger]) => ledger)).toContain('Output IGST')
  })

  test('for Zoho Books has one item per line; the lines add up to the entry with tax and rounding', async () => {
    const lines = await exported('zoho', 'invoices')
    const account = await root(
      'GET',
      `/admin/ledger/statement?${new URLSearchParams({ organization: NAME, period: '25-26' })}`,
    )
    expect(account.status).toBe(200)
    for (const number of invoices) {
      const items = lines.filter((line) => line['Invoice Number'] === number)
      const total = items.reduce((sum, line) => {
        const taxable = inPaise(line['Item Price']!)
        const rate = Number(line['Item Tax %'])
        const tax =
          line['Item Tax Type'] === 'Group'
            ? 2 * Math.round((taxable * rate) / 200)
            : Math.round((taxable * rate) / 100)
        return sum + taxable + tax + (line['Adjustment'] === '' ? 0 : inPaise(line['Adjustment']!))
      }, 0)
      const { amount_paise: amount } = await db
        .selectFrom('ledger_entry')
        .select('amount_paise')
        .where('reference', '=', number)
        .executeTakeFirstOrThrow()
      expect([number, total]).toEqual([number, amount])
    }
    const treatments = new Map(
      lines.map((line) => [line['Invoice Number'], [line['GST Treatment'], line['Place of Supply'], line['Item Tax']]]),
    )
    expect([...invoices, 'HAND-1'].map((number) => treatments.get(number))).toEqual([
      ['business_registered_regular', 'KA', 'GST18'],
      ['business_unregistered', 'MH', 'IGST18'],
      ['overseas', '', 'IGST18'],
      ['business_sez', 'KA', 'IGST18'],
      ['business_unregistered', 'KA', ''],
    ])
    const [credited] = await exported('zoho', 'credit notes')
    expect(credited).toMatchObject({
      'Credit Note Number': note,
      'Invoice#': invoices[0],
      Reason: "'-2+3 was wrong",
      'Item Price': '111.11',
    })
    const columns = ['Mode', 'Deposit To', 'Amount', 'Invoice Number', 'Amount Applied to Invoice']
    expect((await exported('zoho', 'payments')).map((line) => columns.map((column) => line[column]))).toEqual([
      ['Bank Transfer', 'Bank', '200.29', 'HAND-1', '150.00'],
      ['Bank Transfer', 'Bank', '100.00', 'HAND-1', '100.00'],
      ['TDS', 'TDS Receivable', '10.01', 'HAND-1', '10.01'],
    ])
    const taxed = await env.organisation('Withholding Customer')
    await enter({ kind: 'invoice', organisation: taxed, reference: 'W', date: '2025-04-01', amount: paise(118_00) })
    const paid = { organization: 'Withholding Customer', type: 'payment', id: 'W1', amount: 116, date: '2025-04-02' }
    await root('POST', '/admin/ledger/addTransaction', { ...paid, tds: { amount: 2, section: '194J' }, settles: 'W' })
    const body = {
      books: 'zoho',
      what: 'payments',
      from: '2025-04-02',
      to: '2025-04-02',
      organization: 'Withholding Customer',
    }
    const withheld: Record<string, string>[] = parse(await file('/admin/ledger/export', body, rootToken), {
      bom: true,
      columns: true,
    })
    expect(withheld).toHaveLength(1)
    expect(withheld[0]).toMatchObject({
      Amount: '116.00',
      'Invoice Number': 'W',
      'Amount Applied to Invoice': '116.00',
      'Withholding Tax Amount': '2.00',
      'Tax Account': 'TDS Receivable',
    })
    const refunds = await root('POST', '/admin/ledger/export', {
      books: 'zoho',
      what: 'refunds',
      from: '2025-04-01',
      to: '2026-03-31',
    })
    expect([refunds.status, refunds.body.message]).toEqual([
      400,
      'Zoho Books cannot import refunds. Enter them in Zoho Books, on the payment.',
    ])
  })

  test('as XML for TallyPrime has the ledgers, and each entry once with GST details and bills', async () => {
    const xml = await xmlFile('all entries')
    await sql`select xmlparse(document ${xml})`.execute(db)
    const vouchers = blocks(xml, 'VOUCHER')
    expect(
      vouchers.map((each) => `${leafOf(each, 'VOUCHERTYPENAME')} ${leafOf(each, 'VOUCHERNUMBER')}`).toSorted(),
    ).toEqual(
      [
        ...invoices.map((number) => `Sales ${number}`),
        'Sales HAND-1',
        `Credit Note ${note}`,
        'Receipt @pay',
        'Receipt NEFT 1',
        'Journal CERT1',
        'Payment rfnd_1',
      ].toSorted(),
    )
    for (const voucher of vouchers) {
      const lines = blocks(voucher, 'ALLLEDGERENTRIES.LIST')
      const amounts = lines.map((each) => inPaise(leafOf(each, 'AMOUNT')!))
      expect([leafOf(voucher, 'VOUCHERNUMBER'), amounts.reduce((sum, each) => sum + each, 0)]).toEqual([
        leafOf(voucher, 'VOUCHERNUMBER'),
        0,
      ])
      const bills = blocks(lines[0]!, 'BILLALLOCATIONS.LIST').map((each) => inPaise(leafOf(each, 'AMOUNT')!))
      expect(bills.reduce((sum, each) => sum + each, 0)).toBe(amounts[0])
      expect(leafOf(voucher, 'DATE')).toMatch(/^\d{8}$/)
    }
    const sale = vouchers.find((each) => leafOf(each, 'VOUCHERNUMBER') === invoices[0])!
    expect([leafOf(sale, 'PARTYGSTIN'), leafOf(sale, 'PLACEOFSUPPLY'), leafOf(sale, 'CMPGSTIN')]).toEqual([
      '29AABCR1718E1ZL',
      'Karnataka',
      SUPPLIER.gstin,
    ])
    const items = blocks(sale, 'ALLLEDGERENTRIES.LIST').filter((each) => leafOf(each, 'LEDGERNAME') === 'Sales')
    expect(items.map((each) => [leafOf(each, 'AMOUNT'), leafOf(each, 'GSTHSNNAME')])).toEqual([
      ['100.01', '998315'],
      ['333.33', '998315'],
    ])
    expect(
      blocks(items[0]!, 'RATEDETAILS.LIST').map((each) => [leafOf(each, 'GSTRATEDUTYHEAD'), leafOf(each, 'GSTRATE')]),
    ).toEqual([
      ['CGST', '9'],
      ['SGST/UTGST', '9'],
    ])
    const receipt = vouchers.find((each) => leafOf(each, 'VOUCHERNUMBER') === '@pay')!
    expect(
      blocks(receipt, 'BILLALLOCATIONS.LIST').map((each) => [leafOf(each, 'NAME'), leafOf(each, 'AMOUNT')]),
    ).toEqual([
      ['HAND-1', '150.00'],
      [undefined, '50.29'],
    ])
    const refused = await root('POST', '/admin/ledger/export', {
      books: 'zoho',
      what: 'all entries',
      from: '2025-04-01',
      to: '2026-03-31',
    })
    expect(refused.status).toBe(400)
  })

  test('keeps one ledger for a renamed customer, and separate ledgers for look-alike names', async () => {
    const [first, second] = [await env.organisation('Stable Ledger'), await env.organisation('Second Ledger')]
    const ledgersOf = async (name: string) => {
      const whole = {
        books: 'tally xml',
        what: 'all entries',
        from: '2020-01-01',
        to: '2099-12-31',
        organization: name,
      }
      const xml = (await file('/admin/ledger/export', whole, rootToken)).toString()
      return [blocks(xml, 'VOUCHER').map((each) => leafOf(each, 'PARTYLEDGERNAME')), leafOf(xml, 'MAILINGNAME')]
    }
    await enter({ kind: 'payment', organisation: first, reference: 'S', date: '2025-04-01', amount: paise(1_00) })
    await enter({ kind: 'payment', organisation: second, reference: 'S', date: '2025-04-01', amount: paise(1_00) })
    expect(await ledgersOf('Stable Ledger')).toEqual([['Stable Ledger'], 'Stable Ledger'])
    for (const organization of ['Stable Ledger', 'Second Ledger']) {
      const legalName = organization === 'Stable Ledger' ? 'Renamed & </MAILINGNAME> Company' : 'STABLE  Ledger'
      expect((await root('PATCH', '/admin/organization/billing', { organization, legalName })).status).toBe(200)
    }
    expect(await ledgersOf('Stable Ledger')).toEqual([['Stable Ledger'], 'Renamed &amp; &lt;/MAILINGNAME&gt; Company'])
    expect((await ledgersOf('Second Ledger'))[0]).toEqual(['STABLE  Ledger (2)'])
  })

  test('of a period includes its first and last day and nothing else', async () => {
    const body = { books: 'tally', what: 'payments', organization: NAME, from: '2025-04-01', to: '2025-04-30' }
    const lines = parse(await file('/admin/ledger/export', body, rootToken), { bom: true, columns: true }) as object[]
    expect(lines).toHaveLength(4)
  })
})

test('sorts the organisations of a full export by name, ignoring case', async () => {
  const body = { books: 'zoho', what: 'payments', from: '2021-01-01', to: '2021-01-01' }
  const lines: Record<string, string>[] = parse(await file('/admin/ledger/export', body, rootToken), {
    bom: true,
    columns: true,
  })
  expect(lines.map((line) => line['Customer Name'])).toEqual(['Books A', 'books a2', 'books b', 'Books C'])
})

describe('statement', () => {
  const statement = (ask: Ask, period: string) => ask('GET', `/admin/ledger/statement?period=${period}`)

  test('starts with the closing balance of the previous period, by month and by financial year', async () => {
    const before = await statement(admin, '24-25')
    expect(before.body).toMatchObject({ openingPaise: 0, closingPaise: 500_00, from: '2024-04-01', to: '2025-03-31' })
    const [april, may] = [await statement(admin, '2025-04'), await statement(admin, '2025-05')]
    expect(april.body).toMatchObject({ openingPaise: 500_00, closingPaise: 199_71, to: '2025-04-30' })
    expect(may.body).toMatchObject({
      openingPaise: 199_71,
      closingPaise: 239_99,
      sums: { invoices: 0, creditNotes: 0, payments: 0, tds: 10_01, refunds: 50_29 },
    })
    expect(may.body.entries).toMatchObject([
      { id: 'rfnd_1', kind: 'refund', owedPaise: 50_29, balancePaise: 250_00 },
      { id: 'CERT1', kind: 'tds', owedPaise: -10_01, balancePaise: 239_99 },
    ])
    const year = await statement(admin, '25-26')
    const { sums } = year.body
    expect(year.body.closingPaise - year.body.openingPaise).toBe(
      sums.invoices - sums.creditNotes - sums.payments - sums.tds + sums.refunds,
    )
  })

  test('has a receipt as PDF of each payment, but not of a credit note, a refund or a foreign payment', async () => {
    const { body } = await statement(admin, '25-26')
    const { id, date, owedPaise } = (body.entries as AccountStatement['entries']).find(
      (entry) => entry.kind === 'payment' && entry.id !== note,
    )!
    const text = await pdfText(await file('/admin/ledger/receipt/pdf', { id }, adminToken))
    const day = date.split('-').toReversed().join('/')
    for (const part of ['Payment Receipt', id, day, formatRupees(-owedPaise / 100)]) expect(text).toContain(part)
    for (const none of [note, 'rfnd_1', 'CERT1', 'pay_none']) {
      const { status, body: reply } = await admin('POST', '/admin/ledger/receipt/pdf', { id: none })
      expect([status, reply.message]).toEqual([404, 'There is no such payment.'])
    }
  })

  test('is available as a PDF with every entry', async () => {
    const text = await pdfText(await file('/admin/ledger/statement/pdf', { period: '2025-05' }, adminToken))
    for (const part of [
      'Statement of Account',
      'CERT1',
      'rfnd_1',
      '₹10.01',
      '₹50.29',
      '₹199.71',
      '₹239.99',
      '31/05/2025',
    ])
      expect(text).toContain(part)
  })
})
