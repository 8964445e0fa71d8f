/** @module-tag full */
import { describe, expect, test } from 'vitest'
import { TEMPLATE, machinesOf, order, people, template } from '@trainyard/platform/test/orders.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedEnvironment } from '@trainyard/platform/test/shared.ts'

const SIZE = 'Standard_DS1_v2'

const env = await sharedEnvironment()
const admin = await env.signIn('admin', 'admin@acme.test', await env.organisation('Acme'))
await env.worker()
await readAllOffers()

/** Reads all offers twice, because a read that is already in progress may have missed the latest change. */
async function readAllOffers(): Promise<void> {
  await readOnce()
  await readOnce()
}

async function readOnce(): Promise<void> {
  const before = await env.db.selectFrom('cloud_place').select('looked_at').executeTakeFirst()
  await env.step(11 * 60)
  await until(
    'the offers were read',
    () => env.db.selectFrom('cloud_place').select('looked_at').executeTakeFirst(),
    (place) => place !== undefined && place.looked_at.getTime() !== before?.looked_at.getTime(),
  )
}

describe('an order that the provider would reject is rejected early', () => {
  const places = () => env.db.selectFrom('cloud_place').select('location').execute()
  const orderOf = (training: string, count: number) => admin('POST', '/azure/machines', order(training, people(count)))
  const ordered = async () =>
    (
      await env.db
        .selectFrom('machine')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
    ).count

  test('for a size that is not available in the region', { tags: ['storm'] }, async () => {
    await env.control('POST', '/_offers', { location: 'southindia', size: SIZE, offered: false })
    await readAllOffers()
    const refused = await orderOf('Nowhere', 1)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe(
      `${SIZE} is not available in southindia. Choose a template with a different size.`,
    )
    expect(await ordered()).toBe(0)
    await env.control('POST', '/_offers', { location: 'southindia', size: SIZE, offered: true })
    await readAllOffers()
  })

  test('for a region that does not exist', async () => {
    const moveTemplate = (location: string) =>
      env.db
        .updateTable('template')
        .set({ place: { ...template().place, location } })
        .where('name', '=', TEMPLATE)
        .execute()
    await moveTemplate('marsnorth')
    await env.db.deleteFrom('cloud_place').execute()
    await env.step(60)
    await until('it was read', places, (read) => read.length > 0)
    const refused = await orderOf('Nowhere', 1)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain(`${SIZE} is not available in marsnorth`)
    await moveTemplate('southindia')
    await env.db.deleteFrom('cloud_place').execute()
  })

  test('a region that does not answer does not prevent reading the other regions', async () => {
    await env.control('POST', '/_faults', { kind: 'serverError', operation: 'Usage_List', name: 'eastus' })
    await env.db
      .insertInto('template')
      .values({ ...template(), name: 'Silent', place: { ...template().place, location: 'eastus' } })
      .execute()
    await env.db.deleteFrom('cloud_place').execute()
    await env.step(60)
    await until('the other was read', places, (read) => read.length > 0)
    expect(await places()).toEqual([{ location: 'southindia' }])
    await env.control('DELETE', '/_faults')
    await env.db.deleteFrom('template').where('name', '=', 'Silent').execute()
  })

  test('for more cores than available, counting machines ordered a moment ago', async () => {
    await env.control('POST', '/_quotas', { cores: 5 })
    await readAllOffers()
    const refused = await orderOf('Crowded', 6)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe(
      `The cloud has room for only 5 more VMs of ${SIZE} in southindia. Order fewer VMs, or ask the portal's operator to raise the limit.`,
    )
    expect((await orderOf('Crowded', 4)).status).toBe(200)
    expect((await orderOf('Crowded too', 2)).body.message).toContain('only 1 more VM of')
    expect((await orderOf('Crowded too', 1)).status).toBe(200)
    expect((await orderOf('Crowded out', 1)).body.message).toContain('room for no more VMs of')
    await until(
      'all run',
      () => machinesOf(admin, 'Crowded'),
      (all) => all.length === 4 && all.every((m) => m.isRunning),
    )
  })

  test('for more public addresses than the subscription may have', async () => {
    await env.control('POST', '/_quotas', { cores: null, publicAddresses: 7 })
    await readAllOffers()
    const refused = await orderOf('Addressless', 3)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(
      /^The cloud allows 7 public addresses in southindia, of which [0-2] are free\. Order fewer VMs, choose a template with a private network, or ask/,
    )
    await env.control('POST', '/_quotas', { publicAddresses: null })
  })

  test('for more cores than the limit of a size family, although the region has enough', async () => {
    await env.control('POST', '/_quotas', { families: { standardDSv2Family: 1 } })
    await readAllOffers()
    expect((await orderOf('Familiar', 2)).body.message).toContain('room for no more VMs of')
    await env.control('POST', '/_quotas', { families: { standardDSv2Family: null } })
  })

  test('for a location that Azure closed for the subscription', async () => {
    await env.control('POST', '/_governance', { closedLocations: ['southindia'] })
    await readAllOffers()
    expect((await orderOf('Closed', 1)).body.message).toBe(
      "The cloud does not let this portal use southindia. Choose a template in another location, or ask the portal's operator to have the location opened.",
    )
    await env.control('POST', '/_governance', {})
  })

  test('and superadmins see the sizes of a region with their limits', async () => {
    await readAllOffers()
    const root = await env.signIn('superadmin', 'root@demo.test', null)
    const { body } = await root('GET', '/admin/template/sizes?location=southindia')
    const found = body.sizes.find(({ size }: { size: string }) => size === SIZE)
    expect(found).toMatchObject({ cores: 1, memoryGb: 3.5, available: true, coresLeft: expect.any(Number) })
    expect((await root('GET', '/admin/template/sizes?location=moonbase')).body.sizes).toEqual([])
  })

  test('for a marketplace plan whose terms are not accepted', async () => {
    await env.control('POST', '/_quotas', { cores: null })
    await env.db
      .updateTable('template')
      .set({
        image: {
          id: 'nginx:nginx-plus:plus:latest',
          plan: { publisher: 'nginx', product: 'nginx-plus', version: 'latest' },
        },
      })
      .where('name', '=', TEMPLATE)
      .execute()
    await readAllOffers()
    await until(
      'the terms were read',
      () => env.db.selectFrom('cloud_terms').selectAll().execute(),
      (terms) => terms.some(({ refusal }) => refusal !== null),
    )
    const refused = await orderOf('Unsigned', 1)
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe(
      "The marketplace terms of plus are not accepted yet. Ask the portal's operator to accept them at the cloud provider.",
    )
    await env.db.updateTable('cloud_terms').set({ refusal: null }).execute()
    expect((await orderOf('Signed', 1)).status).toBe(200)
    expect(env.bugs).toEqual([])
  })
})
