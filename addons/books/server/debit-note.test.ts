import { Ajv } from 'ajv'
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { addCustomer, ADDRESS, SETTINGS, setClock } from '@trainyard/invoices/test/invoicing.ts'
import { SUPPLIER } from '@trainyard/invoices/test/tax-documents.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { openInvoices } from '@trainyard/accounting/server/open.ts'
import { voucherOf } from './tally.ts'
import { bookedEntries } from './entries.ts'
import { comparison, gstr1 } from './gst-return/content.ts'

const portal = await sharedPortal()
await createSubjects(portal)
const { db } = portal.app
const GST = '29AABCR1718E1ZL'

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function ask(method: string, path: string, body?: unknown): Promise<Body> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  return (await portal.request(method, path, { uid, body })).json()
}
const read = (number: string) => ask('GET', `/admin/invoice?${new URLSearchParams({ number }).toString()}`)
async function issue(organization: string, lines: object[]): Promise<string> {
  const { digest } = await ask('POST', '/admin/invoices/one-off/draft', { organization, lines })
  return (await ask('POST', '/admin/invoices/one-off', { organization, lines, digest })).number
}
const debit = (number: string, amount: number) =>
  ask('POST', '/admin/invoice/debit', { number, reason: 'Wrong price', items: [{ item: 1, amount }] })

async function expectValid(path: string, form: object): Promise<void> {
  const text = await readFile(new URL(`../../${path}.schema.json`, import.meta.url), 'utf8')
  const validate = new Ajv({ allErrors: true, multipleOfPrecision: 6, unicodeRegExp: false }).compile(
    JSON.parse(text) as object,
  )
  validate(form)
  expect(validate.errors ?? []).toEqual([])
}

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await ask('PATCH', '/admin/supplier', { ...SETTINGS, invoicePrefix: 'OFF', debitNotePrefix: 'OFD' })
})

test('a debit note raises an invoice at its rate in ledger, receivables, return and exports', async () => {
  const { id, name } = await addCustomer(portal, 'Debited', 0, { ...ADDRESS, gst: GST })
  const number = await issue(name, [{ description: 'Setup', amount: 1_000, discount: 10 }])
  await ask('PATCH', '/admin/supplier', {
    rates: [...SETTINGS.rates, { from: '2026-11-05', basisPoints: 500 }],
  })
  const note = (await debit(number, 200.2)).number as string
  await ask('PATCH', '/admin/supplier', { rates: SETTINGS.rates })
  expect(note).toBe('OFD/26-27/00001')
  const { document } = await read(note)
  expect(document).toMatchObject({
    kind: 'debit note',
    of: { number },
    dueOn: '2026-11-20',
    totals: { taxablePaise: 200_20, cgstPaise: 18_02, sgstPaise: 18_02, roundOffPaise: -24, totalPaise: 236_00 },
  })
  expect(document.items[0]).not.toHaveProperty('discountPaise')
  expect(await read(number)).toMatchObject({ debitNotes: [note], notes: [], leftPaise: [1_190_20] })
  expect(await balanceOf(db, id)).toBe(1_168_00 + 236_00)
  const open = await openInvoices(db, '2026-11-05', { organisation: id })
  expect(open.map((each) => [each.invoice, each.open])).toEqual([
    [number, 1_168_00],
    [note, 236_00],
  ])
  const file = await gstr1(db, SUPPLIER.gstin, '2026-11')
  expect(file.cdnr?.flatMap(({ nt }) => nt)).toEqual([
    expect.objectContaining({ ntty: 'D', nt_num: note, val: 236, itms: [expect.anything()] }),
  ])
  const { accounts } = await comparison(db, SUPPLIER.gstin, '2026-11')
  for (const { returnPaise, ledgerPaise, listedPaise } of accounts) expect(ledgerPaise - listedPaise).toBe(returnPaise)
  const vouchers = []
  for await (const entry of bookedEntries(db, 'invoices', { from: '2026-11-01', to: '2026-11-30' }, id))
    vouchers.push(voucherOf(entry).type)
  expect(vouchers).toEqual(['Sales', 'Debit Note'])
  const form = await ask('POST', '/admin/invoice/json', { number: note })
  expect(form.DocDtls.Typ).toBe('DBN')
  await expectValid('invoices/test/inv-01', form)
  await expectValid('books/test/gstr-1', file)
})
