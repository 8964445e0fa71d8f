import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import type { Cloud, Clouds } from './cloud.ts'
import { recordOffers } from './offers.ts'
import { selectImagesToRead, selectLocationsToRead, upsertTerms } from './queries.ts'
import { readOffers } from './read-offers.ts'

let portal: TestPortal
let own: { organization: string; template: string }
let foreign: { organization: string; template: string }

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  ;({ own, foreign } = await createSubjects(portal))
})
afterAll(() => portal.close())

async function send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const reply = await portal.request(method, path, { uid, body })
  return { status: reply.status, body: await reply.json() }
}

const TEMPLATE = {
  name: 'Debian Course',
  rate: 10.5,
  resourceGroup: 'group',
  vmSize: 'Standard_D2s_v3',
  imageId: 'debian:course:twelve:latest',
  location: 'westindia',
  os: 'Linux',
  vnet: 'net',
  licence: 'none',
  isOfficial: true,
  planPublisher: 'debian',
  product: 'course',
  version: 'twelve',
  cpu: '2',
  memory: '8',
  storage: '30',
  disk: 'SSD',
}
const IMAGE = { id: TEMPLATE.imageId, plan: { publisher: 'debian', product: 'course', version: 'twelve' } }

test('creates a template once, ignoring the case of its name, with the given plan', async () => {
  expect((await send('POST', '/admin/template', TEMPLATE)).status).toBe(200)
  const again = await send('POST', '/admin/template', { ...TEMPLATE, name: 'DEBIAN course' })
  expect(again).toMatchObject({ status: 409, body: { message: 'There is already a template named DEBIAN course.' } })
  const row = await portal.owner
    .selectFrom('template')
    .select(['rate_paise', 'provider', 'image'])
    .where('name', '=', TEMPLATE.name)
    .execute()
  expect(row).toEqual([{ rate_paise: 1_050, provider: 'azure', image: IMAGE }])
})

const assigned = async () =>
  ((await send('GET', '/admin/assignTemplate')).body as { assigned: { organization: string; template: string }[] })
    .assigned

test('assigns a template once and removes it only from the named organisation', async () => {
  const before = await assigned()
  const [ownAssignment, foreignAssignment] = [own, foreign].map(({ organization }) => ({
    organization,
    template: TEMPLATE.name,
  }))
  for (const each of [ownAssignment!, foreignAssignment!])
    expect((await send('POST', '/admin/assignTemplate', each)).status).toBe(200)
  expect(await send('POST', '/admin/assignTemplate', ownAssignment)).toMatchObject({
    status: 409,
    body: { message: `${own.organization} already has the template ${TEMPLATE.name}.` },
  })
  expect((await send('DELETE', '/admin/assignTemplate', ownAssignment)).status).toBe(200)
  expect((await send('DELETE', '/admin/assignTemplate', ownAssignment)).status).toBe(404)
  const after = await assigned()
  expect(after).toHaveLength(before.length + 1)
  expect(after).toEqual(expect.arrayContaining([...before, foreignAssignment]))
})

const locationsToRead = async () => (await selectLocationsToRead(portal.app.db)).rows.map(({ location }) => location)
const imagesToRead = async () => (await selectImagesToRead(portal.app.db)).rows.map(({ image }) => image.id)
const azureAt = (location: string) => ({ provider: 'azure', location })

test('reads offers and terms again after ten minutes', async () => {
  const at = (seconds: number) => setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 1) + seconds * 1_000))
  const { db } = portal.app
  await at(0)
  expect(await locationsToRead()).toEqual(['southindia', 'westindia'])
  expect(await imagesToRead()).toContain(IMAGE.id)
  const size = { size: 'Standard_D2s_v3', family: 'dsv3', cores: 2, memoryMb: 8192, withheld: null }
  await recordOffers(db, azureAt('westindia'), { sizes: [size, { ...size, size: 'Standard_D4s_v3' }], limits: [] })
  await upsertTerms(db, { provider: 'azure', image: IMAGE }, true)
  // Offers of another provider in this location are ignored.
  await recordOffers(db, { provider: 'another', location: 'southindia' }, { sizes: [size], limits: [] })
  await at(599)
  expect(await locationsToRead()).toEqual(['southindia'])
  expect(await imagesToRead()).not.toContain(IMAGE.id)
  await at(600)
  expect(await locationsToRead()).toEqual(['southindia', 'westindia'])
  expect(await imagesToRead()).toContain(IMAGE.id)
  // A discontinued offer is deleted. The same offer in another location or of another provider is not deleted.
  const limitsOf = (used: number) => ({ sizes: [size], limits: [{ family: 'dsv3', used, allowed: 10 }] })
  await recordOffers(db, azureAt('southindia'), limitsOf(1))
  await recordOffers(db, azureAt('westindia'), limitsOf(2))
  await recordOffers(db, azureAt('westindia'), limitsOf(3))
  const sizes = await db
    .selectFrom('cloud_size')
    .select(['provider', 'location', 'size'])
    .orderBy('provider')
    .orderBy('location')
    .execute()
  expect(sizes).toEqual([
    { provider: 'another', location: 'southindia', size: 'Standard_D2s_v3' },
    { provider: 'azure', location: 'southindia', size: 'Standard_D2s_v3' },
    { provider: 'azure', location: 'westindia', size: 'Standard_D2s_v3' },
  ])
  const limits = await db.selectFrom('cloud_limit').select(['location', 'used']).orderBy('location').execute()
  expect(limits).toEqual([
    { location: 'southindia', used: 1 },
    { location: 'westindia', used: 3 },
  ])
})

test('continues after a failing location and reports it; an aborted run stops', async () => {
  await setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 2)))
  const { db } = portal.app
  const stop = new AbortController()
  const requests: string[] = []
  const answering = (getOffers: Cloud['getOffers']): Clouds => ({
    azure: {
      getOffers: (location, signal) => {
        requests.push(location)
        return getOffers(location, signal)
      },
      hasAcceptedTerms: async ({ id }) => {
        requests.push(id)
        return id === IMAGE.id ? 'Accept the terms.' : true
      },
    } as Partial<Cloud> as Cloud,
  })
  const failing = answering(async (location) => {
    if (location === 'southindia') throw new Error('southindia is silent')
    return { sizes: [], limits: [] }
  })
  const images = await imagesToRead()
  expect(images).toHaveLength(3)
  await expect(readOffers(db, failing, stop.signal)).rejects.toThrow('southindia is silent')
  expect(requests.splice(0)).toEqual(['southindia', 'westindia', ...images])
  expect([await locationsToRead(), await imagesToRead()]).toEqual([['southindia'], []])
  const refusals = await db.selectFrom('cloud_terms').select('refusal').where('refusal', 'is not', null).execute()
  expect(refusals).toEqual([{ refusal: 'Accept the terms.' }])
  await readOffers(
    db,
    answering(async () => ({ sizes: [], limits: [] })),
    stop.signal,
  )
  expect([requests.splice(0), await locationsToRead()]).toEqual([['southindia'], []])

  await setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 3)))
  const calledOff = answering(async () => {
    stop.abort(new Error('called off'))
    throw new Error('this call was cut off')
  })
  await expect(readOffers(db, calledOff, stop.signal)).rejects.toThrow('called off')
  expect(requests).toEqual(['southindia'])
})

test('reports the provider of a template that is not set up', async () => {
  await setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 4)))
  await expect(readOffers(portal.app.db, {}, AbortSignal.timeout(9_000))).rejects.toThrow(
    'The provider azure is not set up on this portal.',
  )
})

test('reports a deleted template as not found', async () => {
  expect((await send('DELETE', '/admin/template', { template: 'debian COURSE' })).status).toBe(200)
  expect((await send('DELETE', '/admin/template', { template: TEMPLATE.name })).status).toBe(404)
  const assignment = { organization: own.organization, template: TEMPLATE.name }
  expect((await send('POST', '/admin/assignTemplate', assignment)).status).toBe(404)
})
