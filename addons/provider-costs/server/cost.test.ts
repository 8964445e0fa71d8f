/** @module-tag full */
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CostImport } from '../contract/cost.ts'
import { COST_PART_BYTES } from '../contract/cost-words.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import { addTraining, openRun } from '@trainyard/platform/test/scripted-cloud.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'
import { importWaiting } from './import.ts'
import { type Charged, csv, eaFile, resourceId } from './test-bill.ts'
import { updateRunSums } from '@trainyard/platform/test/run-sums.ts'

const env = await sharedEnvironment()
const root = await env.signIn('superadmin', 'root@portal.test', null)
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
await setPortalClock(env.db, new Date('2026-11-20T10:00:00Z'))

const running = new AbortController().signal
type Files = Readonly<Record<string, string | Buffer>>
async function upload(files: Files, leaveOutBad = false): Promise<CostImport['_id']> {
  const each = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text as string) }))
  const { body } = await root('POST', '/admin/costs/imports', {
    files: each.map(({ name, content }) => ({ name, bytes: content.length })),
    leaveOutBad,
  })
  for (const [file, { content }] of each.entries()) {
    for (let place = Math.ceil(content.length / COST_PART_BYTES) - 1; place >= 0; place -= 1) {
      const bytes = content.subarray(place * COST_PART_BYTES, (place + 1) * COST_PART_BYTES)
      const reply = await sendPart(body._id, file, place, bytes)
      expect([reply.status, reply.body.message]).toEqual([200, expect.any(String)])
    }
  }
  return body._id
}
const sendPart = (_id: string, file: number, place: number, bytes: Buffer) =>
  root('POST', '/admin/costs/imports/part', { _id, file, place, bytes: bytes.toString('base64') })
const importNamed = async (id: string): Promise<CostImport> => {
  const { imports } = (await root('GET', '/admin/costs/imports')).body as { imports: CostImport[] }
  return imports.find(({ _id }) => _id === id)!
}
async function importFiles(files: Files, leaveOutBad = false): Promise<CostImport> {
  const id = await upload(files, leaveOutBad)
  await importWaiting(env.db, running)
  return importNamed(id)
}
const month = async (of: string) => (await root('GET', `/admin/costs?month=${of}`)).body
const inr = (rupees: number) => [{ currency: 'INR', hundredths: Math.round(rupees * 100) }]
const countLines = async () => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from cost_line`.execute(env.db)
  return rows[0]!.count
}

const place = await addTraining(env.portal.app)
const name = (await sql<{ name: string }>`select name from training where id = ${place.training}`.execute(env.db))
  .rows[0]!.name
const vm = (at: string, more: Partial<Charged> & Pick<Charged, 'day' | 'cost'>): Charged => ({
  resource: resourceId('labs', 'Microsoft.Compute/virtualMachines', at),
  ...more,
})
const tagged = (id: MachineId) => ({ 'trainyard-machine': id, 'trainyard-training': 'x' })

/**
 * The machine ran for ten hours at ₹12.50 on 2 October, for one hour at the end of October and for two hours on 1
 * November.
 */
const machine = await place.add({ created_at: new Date('2026-10-01T00:00:00Z') })
const run = async (from: string, to: string) => {
  await openRun(env.portal.app, machine, new Date(from))
  await sql`update run set stopped_at = ${new Date(to)}, closed_by = 'stop accepted', closed_told_at = ${new Date(to)}
    where machine_id = ${machine} and stopped_at is null`.execute(env.db)
  await updateRunSums(env.db)
}
await run('2026-10-02T00:00:00Z', '2026-10-02T10:00:00Z')
await run('2026-10-31T23:00:00Z', '2026-11-01T02:00:00Z')

describe('monthly bill', () => {
  const unclaimedResource = resourceId('other', 'Microsoft.Storage/storageAccounts', 'archive')
  const lines: Charged[] = [
    vm('vm-1', { day: '2026-10-02', cost: '61.234567', tags: tagged(machine) }),
    // Azure sometimes writes IDs in upper case, omits tags on some lines, and writes small numbers with an exponent.
    { ...vm('VM-1', { day: '2026-10-31', cost: '4.5E-03' }), resource: vm('VM-1', { day: '', cost: '' }).resource! },
    {
      day: '2026-10-02',
      cost: '3.10',
      resource: resourceId('labs', 'Microsoft.Compute/disks', 'vm-1-os'),
      tags: tagged(machine),
    },
    { day: '2026-10-02', cost: '-1.50', charge: 'Refund', resource: vm('vm-1', { day: '', cost: '' }).resource! },
    {
      day: '2026-10-05',
      cost: '7',
      resource: resourceId('labs', 'Microsoft.Network/virtualNetworks', 'labs-net'),
      tags: { trainyard: 'shared' },
    },
    { day: '2026-10-05', cost: '40.00', resource: unclaimedResource, tags: { owner: '=1+1' } },
    { day: '2026-10-06', cost: '20.00', resource: unclaimedResource },
    { day: '2026-10-31', cost: '11.99', charge: 'Tax', service: 'Tax' },
  ]

  test('shows charges, cost, margin and unclaimed cost', async () => {
    const done = await importFiles({ 'october.csv': eaFile(lines) })
    expect(done).toMatchObject({ state: 'done', format: 'Azure EA', lineCount: 8, counting: 8, badCount: 0 })
    expect(done.summary).toMatchObject({
      days: ['2026-10-02', '2026-10-31'],
      total: inr(129.84),
      tax: inr(11.99),
      amortised: false,
    })
    const october = await month('2026-10')
    // Calculated by hand: 10 h and the last hour of October at 12.50; 61.234567 + 0.0045 + 3.10 - 1.50 = 62.839067.
    expect(october).toMatchObject({
      throughDay: '2026-10-31',
      open: false,
      chargedPaise: 13_750,
      cost: inr(129.84),
      tax: inr(11.99),
      unclaimed: inr(60),
    })
    expect(october.rows).toEqual([
      {
        owner: 'training',
        organization: name,
        trainingName: name,
        chargedPaise: 13_750,
        cost: inr(62.84),
        marginPaise: 7_466,
      },
      { owner: 'shared', organization: null, trainingName: null, chargedPaise: null, cost: inr(7), marginPaise: null },
      {
        owner: 'unclaimed',
        organization: null,
        trainingName: null,
        chargedPaise: null,
        cost: inr(60),
        marginPaise: null,
      },
    ])
    const { body } = await root('GET', '/admin/costs/unclaimed?month=2026-10')
    expect(body).toMatchObject({
      count: 1,
      resources: [
        { name: 'archive', kind: 'microsoft.storage/storageaccounts', tag: null, cost: inr(60), costADay: inr(30) },
      ],
    })
  })

  test('is unchanged by a repeated import, compressed or not, and is replaced by a later export', async () => {
    const before = [await countLines(), await month('2026-10')]
    for (const again of [eaFile(lines), gzipSync(eaFile(lines))]) {
      expect(await importFiles({ 'again.csv.gz': again })).toMatchObject({ state: 'same', counting: 0 })
      expect([await countLines(), await month('2026-10')]).toEqual(before)
    }
    const corrected = [...lines.slice(0, 7), { ...lines[7]!, cost: '12.99' }]
    const later = await importFiles({ 'a.csv': eaFile(corrected), 'b.csv': eaFile(corrected) })
    expect(later).toMatchObject({ state: 'done', lineCount: 8, counting: 8, summary: { replaced: 8, doubled: 0 } })
    const october = await month('2026-10')
    expect([october.cost, october.tax]).toEqual([inr(129.84), inr(12.99)])
    expect(await countLines()).toBe(8)
    // The lines of the first file were replaced, so importing this file again stores its lines again.
    expect(await importFiles({ 'october.csv': eaFile(lines) })).toMatchObject({
      state: 'done',
      summary: { replaced: 8 },
    })
  })

  test('lets an unclaimed cost be assigned to an organisation, and ends the assignment', async () => {
    const what = { provider: 'azure', of: 'resource', value: unclaimedResource }
    const { status, body } = await root('POST', '/admin/costs/adoption', {
      ...what,
      organization: name,
      trainingName: name,
    })
    expect([status, body.message]).toEqual([200, `The cost is now assigned to ${name} of ${name}. It is not charged.`])
    const adopted = await month('2026-10')
    expect(adopted.rows[0]).toMatchObject({ cost: inr(122.84), marginPaise: 1_466 })
    expect(adopted.unclaimed).toEqual([])
    expect((await root('DELETE', '/admin/costs/adoption', what)).status).toBe(200)
    expect((await month('2026-10')).unclaimed).toEqual(inr(60))
    const ours = { ...what, value: lines[0]!.resource!, organization: name }
    expect((await root('POST', '/admin/costs/adoption', ours)).status).toBe(409)
    expect((await admin('POST', '/admin/costs/adoption', ours)).status).toBe(403)
    for (const of of ['resource', 'tag']) {
      const unknown = { provider: 'azure', of, value: 'unknown to the portal', organization: name }
      expect((await root('POST', '/admin/costs/adoption', unknown)).status).toBe(404)
      expect(
        (await root('DELETE', '/admin/costs/adoption', { provider: 'azure', of, value: unclaimedResource })).status,
      ).toBe(404)
    }
  })
})

test('lists unreadable lines by number, and refuses the import unless they may be skipped', async () => {
  const good = { day: '2026-09-01', cost: '1.00', period: '2026-09-01' }
  const file = eaFile([good, good, { ...good, cost: '1,50' }, { ...good, currency: '₹' }, good])
    .replace('09/01/2026,,Virtual Machines', '31/09/2026,,Virtual Machines')
    .concat('one,two\r\n')
  const before = await countLines()
  const refused = await importFiles({ 'bad.csv': file })
  expect(refused).toMatchObject({
    state: 'refused',
    badCount: 4,
    refusal:
      '4 lines can’t be read, so nothing was imported. Correct the file, or import it without the unreadable lines.',
    badLines: [
      { line: 2, reason: expect.stringContaining('“31/09/2026” is not a date') },
      { line: 4, reason: 'its cost “1,50” is not a decimal number' },
      { line: 5, reason: 'its currency “₹” is not a currency code such as INR' },
      { line: 7, reason: 'it has a different number of fields than the header' },
    ],
  })
  expect(await countLines()).toBe(before)
  const one = eaFile([good, { ...good, cost: '1,50' }])
  expect((await importFiles({ 'one.csv': one })).refusal).toMatch(/^One line can’t be read/)
  expect(await importFiles({ 'bad.csv': file }, true)).toMatchObject({ state: 'done', lineCount: 2, badCount: 4 })
  expect((await month('2026-09')).cost).toEqual(inr(2))
})

test('counts each line as matched, unmatched or skipped', async () => {
  const day = '2026-08-01'
  const other = resourceId('other', 'Microsoft.Storage/storageAccounts', 'archive')
  const bill = eaFile([
    vm('vm-1', { day, cost: '1', tags: tagged(machine) }),
    { day, cost: '2', resource: other },
    { day, cost: '3', resource: other },
    { day, cost: 'much' },
  ])
  const done = await importFiles(
    { 'august.csv': `Cost of August\n${bill.replace('\uFEFF', '').replace('\r', '')}` },
    true,
  )
  expect(done).toMatchObject({ state: 'done', lineCount: 3, linesRead: 5 })
  expect(done.summary!.counts).toEqual({
    read: 5,
    matched: 1,
    unmatched: 2,
    leftOut: { doubled: 0, unreadable: 1, aboveHeader: 1 },
  })
})

test.each([
  ['a spreadsheet', { 'x.csv': 'a,b\n1,2\n' }, /is not a supported cost export/],
  ['a ZIP archive', { 'x.zip': 'PK\x03\x04rest' }, /ZIP archive/],
  ['a file that is cut off', { 'x.csv.gz': gzipSync(eaFile([])).subarray(0, 60) }, /damaged or incomplete/],
  ['only a quote that never closes', { 'x.csv': `${eaFile([])}"${'x'.repeat(300_000)}` }, /^One line can’t be read/],
])('refuses %s with an instruction', async (_what, files: Record<string, string | Buffer>, sentence) => {
  expect(await importFiles(files)).toMatchObject({ state: 'refused', refusal: expect.stringMatching(sentence) })
})

test('lists other currencies separately and computes no margin from them', async () => {
  const july = { day: '2026-07-03', tags: tagged(machine), resource: vm('vm-1', { day: '', cost: '' }).resource! }
  await importFiles({
    'july.csv': eaFile([
      { ...july, cost: '2', currency: 'USD' },
      { ...july, cost: '10' },
    ]),
  })
  const { cost, rows } = await month('2026-07')
  expect(cost).toEqual([
    { currency: 'INR', hundredths: 1_000 },
    { currency: 'USD', hundredths: 200 },
  ])
  expect(rows).toMatchObject([{ owner: 'training', marginPaise: null }])
})

test('reads exports in the formats FOCUS, MCA, German and AWS by their column names', async () => {
  const focus = csv(
    [
      'BilledCost',
      'BillingCurrency',
      'BillingPeriodStart',
      'ChargeCategory',
      'ChargePeriodStart',
      'ProviderName',
      'ResourceId',
      'SubAccountId',
      'Tags',
      'CommitmentDiscountStatus',
    ],
    [
      {
        BilledCost: '5.5',
        BillingCurrency: 'INR',
        BillingPeriodStart: '2026-06-01 00:00:00',
        ChargeCategory: 'Usage',
        ChargePeriodStart: '2026-06-03T00:00:00Z',
        ProviderName: 'Microsoft',
        ResourceId: vm('vm-1', { day: '', cost: '' }).resource!,
        SubAccountId: '/subscriptions/x',
        Tags: JSON.stringify(tagged(machine)),
      },
      {
        BilledCost: '2',
        BillingCurrency: 'INR',
        BillingPeriodStart: '2026-06-01 00:00:00',
        ChargeCategory: 'Usage',
        ChargePeriodStart: '2026-06-03',
        ProviderName: 'Microsoft',
        ResourceId: 'NULL',
        SubAccountId: '/subscriptions/x',
        Tags: 'NULL',
        CommitmentDiscountStatus: 'Unused',
      },
    ],
  )
  expect(await importFiles({ 'focus.csv': focus })).toMatchObject({
    state: 'done',
    format: 'FOCUS',
    summary: { amortised: true },
  })
  expect((await month('2026-06')).rows).toMatchObject([
    { owner: 'training', cost: inr(5.5) },
    { owner: 'account', cost: inr(2) },
  ])

  const mca = csv(
    [
      'date',
      'costInBillingCurrency',
      'billingCurrency',
      'billingPeriodStartDate',
      'SubscriptionId',
      'ResourceId',
      'resourceGroupName',
      'chargeType',
      'tags',
    ],
    [
      {
        date: '05/02/2026',
        costInBillingCurrency: '.5',
        billingCurrency: 'INR',
        billingPeriodStartDate: '05/01/2026',
        SubscriptionId: 'S',
        ResourceId: 'Unassigned',
        chargeType: 'UnusedReservation',
      },
    ],
  )
  expect(await importFiles({ 'mca.csv': mca })).toMatchObject({
    state: 'done',
    format: 'Azure MCA',
    summary: { amortised: true },
  })
  const german = csv(
    [
      'Abonnement-GUID (SubscriptionGuid)',
      'UsageDateTime (UsageDateTime)',
      'PreTaxCost (PreTaxCost)',
      'Currency',
      'InstanceId (InstanceId)',
      'Tags (Tags)',
    ],
    [{ 'UsageDateTime (UsageDateTime)': '2026-04-02', 'PreTaxCost (PreTaxCost)': '0.075', Currency: 'INR' }],
  )
  expect(await importFiles({ 'german.csv': german })).toMatchObject({ state: 'done', format: 'Azure pay as you go' })
  const aws = {
    'identity/LineItemId': 'a1',
    'identity/TimeInterval': 'i',
    'bill/BillingPeriodStartDate': '2026-03-01T00:00:00Z',
    'lineItem/UsageAccountId': '123456789012',
    'lineItem/LineItemType': 'Usage',
    'lineItem/UsageStartDate': '2026-03-01T00:00:00Z',
    'lineItem/ProductCode': 'AmazonEC2',
    'lineItem/ResourceId': 'i-0abc',
    'lineItem/CurrencyCode': 'USD',
    'lineItem/UnblendedCost': '0.0216',
    'resourceTags/user:trainyard-machine': machine,
  }
  const columns = Object.keys(aws)
  // Identical lines within one delivery count once. Lines with the same ID but different amounts count separately.
  const delivery = csv(columns, [aws, aws, { ...aws, 'lineItem/UnblendedCost': '1' }])
  expect(await importFiles({ 'cur.csv': delivery })).toMatchObject({
    state: 'done',
    format: 'AWS Cost and Usage Report',
    lineCount: 2,
    summary: { doubled: 1 },
  })
  const legacy = csv(
    columns.map((column) =>
      column
        .replace('/', '_')
        .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
        .toLowerCase(),
    ),
    [],
  )
  expect(legacy).toContain('line_item_unblended_cost')
  expect((await month('2026-03')).rows).toMatchObject([
    { owner: 'training', cost: [{ currency: 'USD', hundredths: 102 }] },
  ])
})

test("imports each waiting upload only from its own parts, and lists each month's costs separately", async () => {
  const unclaimedResource = (name: string) => resourceId('other', 'Microsoft.Storage/storageAccounts', name)
  const many = Array.from({ length: 2_100 }, (_, line) => {
    return { day: '2025-12-31', cost: '0.01', resource: unclaimedResource(`december-${line % 7}`) }
  })
  const last = [{ day: '2025-12-01', cost: '30', resource: unclaimedResource('first-of-december') }]
  const november = [{ day: '2025-11-30', cost: '5', resource: unclaimedResource('november') }]
  const files = { 'many.csv': eaFile(many), 'last.csv': eaFile(last) }
  expect(files['many.csv'].length).toBeGreaterThan(COST_PART_BYTES)
  // Without earlier parts, a query without `order by` would return the parts of the first import below.
  await sql`truncate cost_import_part`.execute(env.portal.owner)
  const ids = [await upload(files), await upload({ 'november.csv': eaFile(november) })]
  // The import whose parts were uploaded last is processed first.
  await sql`update cost_import set made_at = made_at - interval '1 hour' where id = ${ids[1]!}`.execute(env.db)
  await importWaiting(env.db, running)
  expect(await Promise.all(ids.map(importNamed))).toMatchObject([
    { state: 'done', lineCount: 2_101, summary: { total: inr(51), doubled: 0, replaced: 0 } },
    { state: 'done', lineCount: 1, summary: { total: inr(5) } },
  ])
  const unclaimed = async (of: string) => {
    const { body } = await root('GET', `/admin/costs/unclaimed?month=${of}`)
    return [body.count, body.resources.map(({ name }: { name: string }) => name)]
  }
  expect(await unclaimed('2025-11')).toEqual([1, ['november']])
  const [count, names] = await unclaimed('2025-12')
  expect([count, names[0], names.toSorted()[0]]).toEqual([8, 'first-of-december', 'december-0'])
  expect((await month('2025-11')).cost).toEqual(inr(5))
  // If a requested month has no bill, it is added to the list. An existing month is not listed twice.
  const { months } = await month('2025-11')
  expect(months).toEqual([...new Set(months)])
  expect((await month('2025-01')).months).toEqual(['2025-01', ...months])
})

test('refuses parts of another import, and ignores repeated parts', async () => {
  const whole = Buffer.from(eaFile([{ day: '2025-10-02', cost: '1' }]))
  const files = [{ name: 'x.csv', bytes: COST_PART_BYTES + 1 }]
  const { body } = await root('POST', '/admin/costs/imports', { files, leaveOutBad: false })
  const refused = async (file: number, place: number, bytes = whole) => {
    const reply = await sendPart(body._id, file, place, bytes)
    return [reply.status, reply.body.message]
  }
  const none = [400, 'The import has no such part.']
  expect([await refused(0, 2), await refused(1, 0)]).toEqual([none, none])
  expect(await refused(0, 0)).toEqual([400, `Every part except the last must have ${COST_PART_BYTES} bytes.`])
  expect(await refused(0, 1)).toEqual([200, '1 parts are missing.'])
  expect(await refused(0, 1)).toEqual([200, '1 parts are missing.'])
  expect((await root('DELETE', '/admin/costs/imports', { _id: body._id })).status).toBe(200)
  expect((await refused(0, 1))[0]).toBe(404)
  const done = await importFiles({ 'x.csv': whole })
  const again = await sendPart(done._id, 0, 0, whole)
  expect([again.body.missing, (await importNamed(done._id)).state]).toEqual([0, 'done'])
})

test('deletes all lines of an import and audits who deleted it', async () => {
  const made = await importFiles({ 'short.csv': eaFile([{ day: '2026-02-03', cost: '9' }]) })
  expect((await month('2026-02')).cost).toEqual(inr(9))
  expect((await root('DELETE', '/admin/costs/imports', { _id: made._id })).status).toBe(200)
  expect((await month('2026-02')).rows).toEqual([])
  const { rows } = await sql<{ call: string; detail: object }>`
    select call, detail from audit where call like 'cost.%' and (request_id = ${made._id}
      or detail->'body'->>'_id' = ${made._id}) order by id`.execute(env.db)
  expect(rows.map(({ call }) => call)).toEqual(['cost.send', 'cost.import', 'cost.remove'])
  expect(JSON.stringify(rows)).not.toContain('bytes')
  expect(env.bugs).toEqual([])
})
