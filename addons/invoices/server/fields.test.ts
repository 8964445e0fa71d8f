import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { addCustomer, ADDRESS, addRuns, SETTINGS, setClock } from '../test/invoicing.ts'
import { pdfText } from '@trainyard/platform/test/pdf.ts'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'

const portal = await sharedPortal()
await createSubjects(portal)

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const billing = (organization: string, changes: object) =>
  send('PATCH', '/admin/organization/billing', { organization, ...changes })
const previewRow = async (organization: string): Promise<Body> => {
  const { rows } = (await send('GET', at('/admin/invoices/preview', { month: '2026-10' }))).body
  return rows.find((row: Body) => row.organization === organization)
}
async function issue(organization: string): Promise<string> {
  const { digest } = await previewRow(organization)
  const { status, body } = await send('POST', '/admin/invoices', { organization, month: '2026-10', digest })
  expect([status, body.message]).toEqual([200, expect.any(String)])
  return body.number
}
const read = async (number: string): Promise<Body> =>
  (await send('GET', at('/admin/invoice', { number }))).body.document
async function pdf(number: string): Promise<string> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request('POST', '/admin/invoice/pdf', { uid, body: { number } })
  return pdfText(Buffer.from(await reply.arrayBuffer()))
}
async function customer(name: string, more: object = {}) {
  const added = await addCustomer(portal, name, 2, { ...ADDRESS, ...more })
  await addRuns(portal, added, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  return added
}

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  await send('PATCH', '/admin/supplier', SETTINGS)
})

test('fixes the due date at issue', async () => {
  const { name } = await customer('Fixed Due Date')
  await send('PATCH', '/admin/supplier', { paymentDays: 10 })
  const number = await issue(name)
  await send('PATCH', '/admin/supplier', { paymentDays: 60 })
  const { invoices } = (await send('GET', at('/admin/ledger/open', { organization: name }))).body
  const { date, dueOn } = await read(number)
  expect((Date.parse(dueOn) - Date.parse(date)) / 86_400_000).toBe(10)
  expect(invoices).toMatchObject([{ invoice: number, dueOn }])
  expect(await pdf(number)).toContain(dueOn.split('-').toReversed().join('/'))
})

test('prints CIN, purchase order and cost centre, and lists learners only if the customer wants this', async () => {
  const { name } = await customer('Ordered Fields')
  await sql`update portal_user set name = 'Meera Nair' where email = 'learner0@orderedfields.test'`.execute(
    portal.owner,
  )
  const before = await previewRow(name)
  const { document: plain } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' })))
    .body
  expect(plain.lines.some((line: Body) => 'learner' in line)).toBe(false)
  await billing(name, { purchaseOrder: 'PO-4711', costCentre: 'Training 12', listLearners: true })
  expect((await previewRow(name)).digest).not.toBe(before.digest)
  expect(
    await send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest: before.digest }),
  ).toEqual({
    status: 409,
    body: expect.objectContaining({
      message: 'The invoice has changed since you opened it. Review it again.',
    }) as object,
  })
  const number = await issue(name)
  await billing(name, { purchaseOrder: null, listLearners: false })
  const document = await read(number)
  expect(document).toMatchObject({
    supplier: { cin: SETTINGS.cin },
    customer: { purchaseOrder: 'PO-4711', costCentre: 'Training 12' },
  })
  const learners = document.lines.map(({ learner, amountPaise }: Body) => [learner, amountPaise])
  expect(learners).toEqual([
    ['Meera Nair', 12_500],
    ['learner1@orderedfields.test', 12_500],
  ])
  const text = await pdf(number)
  for (const fact of [`CIN ${SETTINGS.cin}`, 'PO-4711', 'Training 12', 'Learner', 'Meera Nair', '10.00', '₹125.00']) {
    expect(text).toContain(fact)
  }
  expect((await send('PATCH', '/admin/supplier', { cin: 'U1' })).body.message).toBe(
    'cin must be a CIN such as U72200KA2013PTC097389.',
  )
})

test('has no rate in a document without tax', async () => {
  await send('PATCH', '/admin/supplier', { undertakings: [{ year: '26-27', number: 'AD1' }] })
  const [free, taxed] = [
    await customer('Untaxed Zone', { place: 'sez', gst: '29AABCR1718E1ZL' }),
    await customer('Taxed Customer'),
  ]
  const texts = [await pdf(await issue(free.name)), await pdf(await issue(taxed.name))]
  expect(texts.map((text) => [/\bRate\b/.test(text), text.includes('%')])).toEqual([
    [false, false],
    [true, true],
  ])
})
