import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  type ReplyBody,
  senderOf,
  SETTINGS,
  setClock,
} from '@trainyard/invoices/test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { issueDueVouchers } from '@trainyard/invoices/server/vouchers.ts'

const env = await sharedEnvironment()
const { portal } = env
let root: string

const ask = senderOf(portal, () => root)
const post = (what: string, body: object, uid = root) => ask('POST', `/admin/quotes${what}`, body, uid)
const buy = (body: object, uid = root) => post('/prepaid', { amount: 10_000, ...body }, uid)
const of = (path: string, organization: string) => ask('GET', `${path}?${new URLSearchParams({ organization })}`)
const accounts = async (organization: string): Promise<ReplyBody[]> =>
  (await of('/admin/credit', organization)).body.accounts
const quoteOf = async (organization: string): Promise<ReplyBody> =>
  (await of('/admin/quotes', organization)).body.quotes[0]

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await ask('PATCH', '/admin/supplier', { ...SETTINGS, vouchersFrom: '2026-11-01' })
})

describe('prepaid credit by proforma invoice', () => {
  test('is usable once the invoice is paid, with a receipt voucher for the tax, and never by the invoice itself', async () => {
    const { name, admin } = await addCustomer(portal, 'Buyer', 0, ADDRESS)
    const uid = await portal.sessionOf(admin)
    const made = await buy({}, uid)
    expect(made).toMatchObject({
      status: 200,
      body: {
        number: 'Q-26-27-0001',
        proforma: 'PF-26-27-0001',
        message: 'Proforma invoice PF-26-27-0001 for ₹11,800.00 sent. Buyer has the credit when it is paid.',
      },
    })
    const { number, proforma } = made.body
    expect(await quoteOf(name)).toMatchObject({ state: 'proforma', decidedBy: admin, prepaid: { trainingName: null } })
    const text = await pdfText((await post('/pdf', { number: proforma }, uid)).body)
    for (const words of ['Prepaid credit of Buyer', 'This is not a tax invoice']) expect(text).toContain(words)
    expect(await accounts(name)).toEqual([])

    const draft = { organization: name, lines: [{ description: 'Prepaid credit of Buyer', amount: 10_000 }] }
    const { digest } = (await ask('POST', '/admin/invoices/one-off/draft', draft)).body
    expect(await post('/invoice', { number, digest })).toMatchObject({ status: 409 })

    const paid = await post('/payments', { number, id: 'UTR-1', amount: 5_900, date: '2026-11-05' })
    expect(paid.body.message).toBe(
      'Payment UTR-1 recorded as prepaid credit. PF-26-27-0001 has ₹5,900.00 in payments now.',
    )
    expect(await accounts(name)).toMatchObject([{ boughtPaise: 5_000_00, leftPaise: 5_000_00, isUsedUp: false }])
    expect((await post('/payments', { number, id: 'UTR-1', amount: 5_900, date: '2026-11-05' })).status).toBe(409)
    expect((await post('/withdraw', { number })).status).toBe(409)
    await post('/payments', { number, id: 'UTR-2', amount: 5_900, date: '2026-11-05' })
    expect(await accounts(name)).toMatchObject([{ boughtPaise: 10_000_00 }])

    await issueDueVouchers(portal.app.db, env.parts.jobQueue, new AbortController().signal)
    const { rows } = await sql<{ kind: string; total: number }>`
      select kind, total_paise as total from tax_document d join organisation o on o.id = d.organisation_id
      where o.name = ${name} order by d.number`.execute(portal.owner)
    expect(rows).toEqual([
      { kind: 'receipt voucher', total: 5_900_00 },
      { kind: 'receipt voucher', total: 5_900_00 },
    ])

    const reversal = { organization: name, kind: 'payment', id: 'UTR-2', reason: 'Bounced', date: '2026-11-05' }
    await ask('POST', '/admin/ledger/reverse', reversal)
    expect(await accounts(name)).toMatchObject([{ boughtPaise: 5_000_00 }])
    expect((await quoteOf(name)).payments).toMatchObject([{ id: 'UTR-1' }])
    const broken = await brokenInvariants(portal.owner, { quiet: false })
    expect(broken.filter((invariant) => invariant.name.startsWith('L'))).toEqual([])
  })

  test('settles what is owed first, and invoices of usage later', async () => {
    const { name } = await addCustomer(portal, 'Debtor', 0, ADDRESS)
    const enter = (id: string, amount: number) =>
      ask('POST', '/admin/ledger/addTransaction', {
        organization: name,
        type: 'invoice',
        id,
        amount,
        date: '2026-11-01',
      })
    await enter('OLD-1', 1_800)
    const { number } = (await buy({ organization: name })).body
    const paid = await post('/payments', { number, id: 'UTR-3', amount: 11_800, date: '2026-11-05' })
    expect(paid.body.message).toContain('₹10,000.00 of it are prepaid credit, the rest settles what is owed.')
    expect((await of('/admin/ledger/open', name)).body.invoices).toEqual([])
    await enter('MONTH-1', 4_000)
    expect((await of('/admin/ledger/open', name)).body.invoices).toEqual([])
    const [account] = await accounts(name)
    expect(account).toMatchObject({ boughtPaise: 847_458 })
    await enter('MONTH-2', 6_001)
    expect((await of('/admin/ledger/open', name)).body.invoices).toMatchObject([
      { invoice: 'MONTH-2', openPaise: 1_00 },
    ])
  })

  test('is bought by an admin for the own organisation only, and a limited number of times without payment', async () => {
    const [own, theirs] = [
      await addCustomer(portal, 'Own Credit', 0, ADDRESS),
      await addCustomer(portal, 'Their Credit', 0, ADDRESS),
    ]
    const uid = await portal.sessionOf(own.admin)
    expect(await buy({ organization: theirs.name }, uid)).toMatchObject({ status: 404 })
    expect((await of('/admin/quotes', theirs.name)).body.quotes).toEqual([])
    expect(await buy({ trainingName: 'Absent' }, uid)).toMatchObject({ status: 404 })
    const made = await buy({ amount: 1_00_00_000 }, uid)
    expect(made.status).toBe(200)
    for (const step of ['/payments', '/withdraw'] as const) {
      const body = {
        number: made.body.number,
        ...(step === '/payments' && { id: 'X-1', amount: 1, date: '2026-11-05' }),
      }
      expect((await post(step, body, uid)).status).toBe(403)
    }
    for (let count = 2; count <= 10; count += 1) expect((await buy({}, uid)).status).toBe(200)
    const refused = { status: 409, body: { message: expect.stringContaining('10 proforma invoices') as unknown } }
    expect(await buy({}, uid)).toMatchObject(refused)
    await post('/withdraw', { number: made.body.number })
    expect((await buy({}, uid)).status).toBe(200)
  })

  test('cannot be bought with a payment that is in the ledger already, also not in the database', async () => {
    const { name, id } = await addCustomer(portal, 'Twice', 0, ADDRESS)
    const payment = { organization: name, type: 'payment', id: 'ONLINE-1', amount: 11_800, date: '2026-11-05' }
    await ask('POST', '/admin/ledger/addTransaction', payment)
    const { number } = (await buy({ organization: name })).body
    expect(await post('/payments', { number, id: 'ONLINE-1' })).toMatchObject({ status: 409 })
    expect(await accounts(name)).toEqual([])
    const invoiced = sql`update quote set state = 'invoiced', invoice = 'ONLINE-1' where organisation_id = ${id}`
    await expect(invoiced.execute(portal.owner)).rejects.toMatchObject({ code: '23514' })
  })
})
