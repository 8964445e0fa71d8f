import { beforeAll, expect, test } from 'vitest'
import {
  addCustomer,
  addSuperadmin,
  ADDRESS,
  addRuns,
  SETTINGS,
  setClock,
  type TestCustomer,
} from '../../test/invoicing.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { cleanUp } from '@trainyard/platform/server/run/clean-up.ts'

const env = await sharedEnvironment()
const { portal } = env
const GSTIN = '29AABCR1718E1ZL'
const PROOF = Buffer.from('%PDF-1.7 certificate').toString('base64')
let root: string

// oxlint-disable-next-line typescript/no-explicit-any -- a reply can have any shape; the expectations check it
type Body = any
async function send(method: string, path: string, body?: unknown, uid = root): Promise<{ status: number; body: Body }> {
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}
const at = (path: string, query: Record<string, string>) => `${path}?${new URLSearchParams(query).toString()}`
const STATUS = '/admin/organization/tax-status'
const statusOf = async (organization: string): Promise<Body> => (await send('GET', at(STATUS, { organization }))).body
const draft = async (organization: string): Promise<Body> =>
  (await send('GET', at('/admin/invoices/draft', { organization, month: '2026-10' }))).body.document
const SEZ = { place: 'sez', gstin: GSTIN, from: '2026-12-01', reason: 'Unit in an SEZ', document: 'approval.pdf' }

async function customer(name: string): Promise<TestCustomer & { readonly uid: string }> {
  const added = await addCustomer(portal, name, 1, { ...ADDRESS, gst: GSTIN })
  await addRuns(portal, added, '2026-10-05T04:00:00Z', '2026-10-05T14:00:00Z')
  return { ...added, uid: await portal.sessionOf(added.admin) }
}

beforeAll(async () => {
  await setClock(portal, '2026-11-05T06:00:00Z')
  root = await addSuperadmin(env)
  await send('PATCH', '/admin/supplier', { ...SETTINGS, undertakings: [{ year: '26-27', number: 'AD290326000001X' }] })
})

test('refuses changes by an admin that would change the tax, and the next invoice bears the same tax', async () => {
  const { name, uid } = await customer('Own Tax')
  for (const [path, change] of [
    ['/admin/organization/billing', { place: 'sez' }],
    ['/admin/organization/billing', { place: 'abroad', country: 'AE' }],
    ['/admin/organization/profile', { gst: null }],
    ['/admin/organization/profile', { gst: '27AAHCM7727Q1ZM' }],
  ] as const) {
    const { status, body } = await send('PATCH', path, change, uid)
    expect([status, body.message]).toEqual([403, expect.stringContaining('Request the change with a document')])
  }
  const same = { place: 'india', city: 'Hubballi' }
  expect((await send('PATCH', '/admin/organization/billing', same, uid)).status).toBe(200)
  expect(await draft(name)).toMatchObject({ supplyType: 'B2B', totals: { cgstPaise: 1_125, sgstPaise: 1_125 } })
})

test('changes the status from the day that a superadmin approves, and shows the effect before', async () => {
  const { name, uid } = await customer('Zone Labs')
  const effect = await send(
    'GET',
    at(`${STATUS}/effect`, { place: 'sez', gstin: GSTIN, from: '2026-12-01' }),
    undefined,
    uid,
  )
  expect(effect.body).toEqual({
    month: '2026-10',
    from: '2026-12-01',
    taxablePaise: 12_500,
    present: { supplyType: 'B2B', taxPaise: 2_250, totalPaise: 14_800, problems: [] },
    requested: { supplyType: 'SEZWOP', taxPaise: 0, totalPaise: 12_500, problems: [] },
  })
  const asked = await send('POST', `${STATUS}/requests`, { ...SEZ, bytes: PROOF }, uid)
  expect(asked).toEqual({ status: 200, body: { message: 'Request sent. The supplier decides it.' } })
  expect((await send('POST', `${STATUS}/requests`, { ...SEZ, bytes: PROOF }, uid)).status).toBe(409)
  const [open] = (await send('GET', '/admin/tax-status/requests')).body.requests
  expect(open).toMatchObject({
    organization: name,
    ...SEZ,
    document: 'approval.pdf',
    state: 'open',
    by: `admin@zonelabs.test`,
  })
  const proof = await portal.request('POST', `${STATUS}/requests/document`, { uid: root, body: { id: open.id } })
  expect(await proof.text()).toBe('%PDF-1.7 certificate')
  const decide = (body: object) => send('POST', '/admin/tax-status/requests/decide', { id: open.id, ...body })
  expect((await decide({ decision: 'approved' })).body.message).toBe('Tax status of Zone Labs changes on 2026-12-01.')
  expect((await decide({ decision: 'rejected', answer: 'Too late' })).status).toBe(409)
  expect(await statusOf(name)).toMatchObject({
    current: { place: 'india', gstin: GSTIN },
    changes: [{ place: 'sez', from: '2026-12-01', by: 'root@portal.test' }],
    requests: [{ state: 'approved', decidedBy: 'root@portal.test' }],
  })
  expect(await draft(name)).toMatchObject({ supplyType: 'B2B' })
  await setClock(portal, '2026-11-30T18:29:00Z')
  expect(await draft(name)).toMatchObject({ supplyType: 'B2B' })
  await setClock(portal, '2026-11-30T18:31:00Z')
  expect(await draft(name)).toMatchObject({ supplyType: 'SEZWOP', totals: { igstPaise: 0, totalPaise: 12_500 } })
  expect((await statusOf(name)).current.place).toBe('sez')
  await setClock(portal, '2026-11-05T06:00:00Z')
})

test('ends a request that is withdrawn or rejected without a change', async () => {
  const { name, uid } = await customer('Second Thoughts')
  const latest = async () => (await statusOf(name)).requests[0]
  const request = { ...SEZ, bytes: PROOF }
  await send('POST', `${STATUS}/requests`, request, uid)
  const { id } = await latest()
  expect((await send('POST', `${STATUS}/requests/withdraw`, { id }, uid)).status).toBe(200)
  expect((await send('POST', '/admin/tax-status/requests/decide', { id, decision: 'approved' })).status).toBe(409)
  await setClock(portal, '2026-11-05T06:01:00Z')
  await send('POST', `${STATUS}/requests`, request, uid)
  const rejection = { id: (await latest()).id, decision: 'rejected', answer: 'The certificate is not signed' }
  expect((await send('POST', '/admin/tax-status/requests/decide', rejection)).status).toBe(200)
  expect(await latest()).toMatchObject({ state: 'rejected', answer: 'The certificate is not signed' })
  expect(await statusOf(name)).toMatchObject({ current: { place: 'india' }, changes: [] })
})

test('deletes only the documents of withdrawn requests, after 30 days', async () => {
  const { name, uid } = await customer('Changed Mind')
  const request = { ...SEZ, bytes: PROOF }
  const newest = async () => (await statusOf(name)).requests[0]
  const withdraw = (id: string) => send('POST', `${STATUS}/requests/withdraw`, { id }, uid)
  const status = async (id: string) => {
    const session = await portal.sessionOf('admin@changedmind.test')
    return (await portal.request('POST', `${STATUS}/requests/document`, { uid: session, body: { id } })).status
  }
  await setClock(portal, '2026-11-05T06:00:00Z')
  await send('POST', `${STATUS}/requests`, request, uid)
  const first = await newest()
  await withdraw(first.id)
  await setClock(portal, '2026-11-06T06:00:00Z')
  await send('POST', `${STATUS}/requests`, request, uid)
  const second = await newest()
  await setClock(portal, '2026-12-05T05:59:00Z')
  await cleanUp(portal.app.db)
  expect([await status(first.id), await status(second.id)]).toEqual([200, 200])
  await setClock(portal, '2026-12-05T06:01:00Z')
  await cleanUp(portal.app.db)
  await cleanUp(portal.app.db)
  expect([await status(first.id), await status(second.id)]).toEqual([404, 200])
  await setClock(portal, '2026-11-06T06:00:00Z')
  expect((await statusOf(name)).requests.map(({ document }: Body) => document)).toEqual([SEZ.document, SEZ.document])
  await withdraw(second.id)
  await setClock(portal, '2026-11-05T06:00:00Z')
})

test('rejects requests without tax treatment or without a readable document', async () => {
  const { uid } = await customer('Odd Requests')
  for (const [change, sentence] of [
    [{ gstin: null }, 'A customer in an SEZ needs a GST number.'],
    [{ place: 'abroad' }, 'A customer abroad cannot have a GST number.'],
    [{ place: 'india' }, 'Odd Requests already has this tax status.'],
    [{ bytes: Buffer.from('<svg onload=alert(1)>').toString('base64') }, 'bytes must be a PDF, PNG or JPEG file.'],
    [{ reason: 'Moved​' }, 'reason must not contain invisible characters.'],
  ] as const) {
    const { status, body } = await send('POST', `${STATUS}/requests`, { ...SEZ, bytes: PROOF, ...change }, uid)
    expect([status >= 400 && status < 410, body.message]).toEqual([true, sentence])
  }
})

test('lets a superadmin change the status with a reason, but not before the last issued document', async () => {
  const { name } = await customer('Direct Change')
  const { digest } = (await send('GET', at('/admin/invoices/draft', { organization: name, month: '2026-10' }))).body
  const { number } = (await send('POST', '/admin/invoices', { organization: name, month: '2026-10', digest })).body
  const change = (from: string) =>
    send('POST', STATUS, { organization: name, place: 'india', gstin: null, from, reason: 'Registration cancelled' })
  expect(await change('2026-11-04')).toEqual({
    status: 409,
    body: expect.objectContaining({
      message: `${number} was issued after 2026-11-04 with the previous status. Choose a later day.`,
    }) as object,
  })
  expect((await change('2026-11-05')).status).toBe(200)
  expect((await statusOf(name)).current).toEqual({ place: 'india', gstin: null })
  const profile = await send('GET', at('/admin/organization/settings', { organization: name }))
  expect(profile.body.gst).toBeNull()
})
