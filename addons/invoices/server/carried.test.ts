import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { TaxDocument } from '../contract/invoice.ts'
import { addCustomer, addSuperadmin, addRuns, SETTINGS, setClock } from '../test/invoicing.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import { jobQueueIn } from '@trainyard/platform/server/run/jobs/queue.ts'
import { issueDueInvoices } from './run.ts'

const env = await sharedEnvironment()
const { portal } = env
const { db } = portal.app
const run = () => issueDueInvoices(db, jobQueueIn(db), new AbortController().signal)
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid: root, body })
  return { status: reply.status, body: await reply.json() }
}

beforeAll(async () => {
  await setClock(portal, '2026-10-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', { ...SETTINGS, firstMonth: '2026-08', issuing: 'automatic' })
})

test('carries amounts below half a rupee forward until an invoice has a total', async () => {
  const customer = await addCustomer(portal, 'Half Minute', 1)
  const { name: organization } = customer
  // 30 seconds at ₹12.50 per hour are 10 paise, and 12 with tax.
  await addRuns(portal, customer, '2026-08-25T04:00:00Z', '2026-08-25T04:00:30Z')
  await addRuns(portal, customer, '2026-09-05T04:00:00Z', '2026-09-05T04:00:30Z')
  await addRuns(portal, customer, '2026-10-05T04:00:00Z', '2026-10-05T04:01:00Z')
  const query = new URLSearchParams({ organization, month: '2026-09' }).toString()
  const words = '₹0.11 before tax is below half a rupee. It is carried forward to the next invoice.'
  const preview = await send('GET', '/admin/invoices/preview?month=2026-09')
  expect(preview.body.rows).toEqual([
    { organization, taxablePaise: 11, totalPaise: null, digest: null, problems: [words], cancelled: null },
  ])
  expect(await send('GET', `/admin/invoices/draft?${query}`)).toMatchObject({ status: 409, body: { message: words } })
  const issue = { organization, month: '2026-09', digest: '' }
  expect(await send('POST', '/admin/invoices', issue)).toMatchObject({ status: 409, body: { message: words } })
  expect([await run(), await run()]).toEqual([[], []])
  expect((await send('GET', '/admin/invoices/preview?month=2026-09')).body.rows).toEqual([])

  await setClock(portal, '2026-11-05T06:00:00Z')
  const numbers = await run()
  expect(numbers).toEqual(['INV/26-27/00001'])
  const { document } = (await send('GET', `/admin/invoice?number=${encodeURIComponent(numbers[0]!)}`)).body as {
    document: TaxDocument
  }
  // Each month is rounded to the paisa as part of the machine's whole bill.
  expect(document.items.map(({ description, taxablePaise }) => [description.split(', ').at(-2), taxablePaise])).toEqual(
    [
      ['August 2026: 1 machine', 10],
      ['September 2026: 1 machine', 11],
      ['October 2026: 1 machine', 21],
    ],
  )
  expect(document.totals).toMatchObject({ taxablePaise: 42, totalPaise: 100, roundOffPaise: 50 })
  const { rows } =
    await sql`select month, amount_paise from charged_line where invoice = ${numbers[0]!} order by month`.execute(db)
  expect(rows).toEqual([
    { month: '2026-08-01', amount_paise: 10 },
    { month: '2026-09-01', amount_paise: 11 },
    { month: '2026-10-01', amount_paise: 21 },
  ])
  expect(await run()).toEqual([])
  expect(await brokenInvariants(portal.owner, { quiet: false })).toEqual([])
})
