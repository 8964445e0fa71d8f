import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { ImageReference } from '@trainyard/templates/contract/provider.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { template } from '@trainyard/platform/test/orders.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { addTraining, type TestTraining } from '@trainyard/platform/test/scripted-cloud.ts'
import { preflight } from './preflight.ts'
import { waitMinutes } from './wait.ts'

let portal: TestPortal
let testTraining: TestTraining
const { provider, place, ...ordered } = template()
const { location } = place
const size = ordered.size.name

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate cloud_place, cloud_size, cloud_limit, cloud_terms, machine cascade`.execute(portal.owner)
  testTraining = await addTraining(portal.app)
})

/** Stores the offers of a location: sizes as [size, family, cores, withheld], and limits as [family, used, allowed]. */
async function storeOffers(
  sizes: readonly (readonly [string, string, number, string?])[],
  limits: readonly (readonly [string, number, number])[] = [],
  at: string = location,
) {
  const { owner } = portal
  await sql`insert into cloud_place (provider, location, looked_at) values (${provider}, ${at}, portal_now())`.execute(
    owner,
  )
  for (const [name, family, cores, withheld = null] of sizes)
    await owner
      .insertInto('cloud_size')
      .values({ provider, location: at, size: name, family, cores, withheld })
      .execute()
  for (const [family, used, allowed] of limits)
    await owner.insertInto('cloud_limit').values({ provider, location: at, family, used, allowed }).execute()
}
const order = (machines: number, overrides: Partial<TemplateRow> = {}) =>
  portal.owner
    .transaction()
    .execute((tx) => preflight(tx, { ...template(), location, size_name: size, ...overrides } as TemplateRow, machines))
    .then(
      () => null,
      (problem: Error) => problem.message,
    )
const noRoom = (fit: string) =>
  `The cloud has room for ${fit} of ${size} in ${location}. Order fewer VMs, or ask the portal's operator to raise the limit.`
const NOT_OFFERED = `${size} is not available in ${location}. Choose a template with a different size.`

test('rejects nothing before the first read of a location', async () => {
  expect(await order(1_000)).toBeNull()
  await storeOffers([], [], 'elsewhere')
  expect(await order(1_000)).toBeNull()
})

test('rejects a size that is unavailable or withheld, ignoring case', async () => {
  await storeOffers([['Other', 'f', 2]])
  expect(await order(1)).toBe(NOT_OFFERED)
  await sql`truncate cloud_place, cloud_size cascade`.execute(portal.owner)
  await storeOffers([[size, 'f', 2, 'NotAvailable']])
  expect(await order(1)).toBe(NOT_OFFERED)
  await sql`truncate cloud_place, cloud_size cascade`.execute(portal.owner)
  await storeOffers([[size.toUpperCase(), 'f', 2]])
  await storeOffers([[size, 'f', 2, 'NotAvailable']], [], 'elsewhere')
  expect(await order(1_000)).toBeNull()
})

test.each([
  [10, 10, 'no more VMs'],
  [9, 10, 'no more VMs'],
  [8, 10, 'only 1 more VM'],
  [4, 10, 'only 3 more VMs'],
  [12, 10, 'no more VMs'],
])('with %d of %d cores used there is room for %s', async (used, allowed, fit) => {
  await storeOffers([[size, 'f', 2]], [['F', used, allowed]])
  expect(await order(4)).toBe(noRoom(fit))
})

test('applies the lower limit of family and region, and ignores the limits of other families', async () => {
  await storeOffers(
    [[size, 'f', 1]],
    [
      ['f', 0, 9],
      ['cores', 0, 3],
      ['g', 0, 0],
    ],
  )
  expect(await order(3)).toBeNull()
  expect(await order(4)).toBe(noRoom('only 3 more VMs'))
})

test('counts ordered machines that the provider does not count yet, except terminated machines', async () => {
  await storeOffers(
    [
      [size, 'f', 2],
      ['Other', 'g', 3],
    ],
    [
      ['f', 1, 10],
      ['cores', 0, 15],
    ],
  )
  await storeOffers([[size, 'f', 2]], [], 'elsewhere')
  await testTraining.add()
  await testTraining.add()
  expect(await order(3)).toBeNull()
  expect(await order(4)).toBe(noRoom('only 3 more VMs'))
  await testTraining.add({ place: { ...place, location: 'elsewhere' } })
  await testTraining.add({
    terminated_at: new Date(),
    desired: 'gone',
    observed: 'absent',
    admin_password: null,
    reconcile_at: null,
  })
  expect(await order(3)).toBeNull()
  for (let count = 0; count < 2; count++) await testTraining.add({ size: { name: 'Other' } })
  // 4 and 6 of 15 are used, so 5 are left.
  expect(await order(2)).toBeNull()
  expect(await order(3)).toBe(noRoom('only 2 more VMs'))
})

test('rejects only an image whose terms the provider refuses, with its sentence', async () => {
  const image = { id: 'pub:prod:plan:latest', plan: { publisher: 'pub', product: 'prod', version: 'latest' } }
  const refusal = 'The marketplace terms of plan are not accepted yet.'
  const store = (values: { provider: string; image: ImageReference; refusal: string | null }) =>
    portal.owner
      .insertInto('cloud_terms')
      .values({ ...values, looked_at: sql<Date>`portal_now()` })
      .execute()
  expect(await order(1, { image })).toBeNull()
  await store({ provider, image: { ...image, plan: null }, refusal })
  await store({ provider: 'another', image, refusal })
  expect(await order(1, { image })).toBeNull()
  await store({ provider, image, refusal })
  expect(await order(1, { image })).toBe(refusal)
  expect(await order(1, { image: { id: image.id } })).toBeNull()
  await sql`update cloud_terms set refusal = null`.execute(portal.owner)
  expect(await order(1, { image })).toBeNull()
})

test('estimates the wait from recent durations, or from a default before the first order', async () => {
  const minutes = (machines: number) =>
    portal.owner.transaction().execute((tx) => waitMinutes(tx, machines, { location, size_name: size }))
  const waits = async () => [await minutes(1), await minutes(4), await minutes(5), await minutes(61), await minutes(62)]
  expect(await waits()).toEqual([2, 2, 2, 2, 3])
  const machines = [await testTraining.add(), await testTraining.add(), await testTraining.add()]
  for (const [index, id] of machines.entries())
    await sql`update machine m set first_seen_at = o.created_at + make_interval(secs => ${60 + 20 * index})
      from machine_order o where m.id = ${id} and o.id = m.order_id`.execute(portal.owner)
  await sql`update machine_order set machine_count = 3
    where id = (select order_id from machine where id = ${machines[0]!})`.execute(portal.owner)
  expect(await waits()).toEqual([1, 2, 3, 21, 22])
})
