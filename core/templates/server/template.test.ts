import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSubjects, PEOPLE } from '@trainyard/platform/test/world.ts'
import { setPortalClock } from '@trainyard/platform/test/clock.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import type { Cloud } from './cloud.ts'
import { locationsToRead, plansToRead, recordOffers, recordTerms } from './offers.ts'
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

test('creates a template once, ignoring the case of its name, with the given plan', async () => {
  expect((await send('POST', '/admin/template', TEMPLATE)).status).toBe(200)
  const again = await send('POST', '/admin/template', { ...TEMPLATE, name: 'DEBIAN course' })
  expect(again).toMatchObject({ status: 409, body: { message: 'There is already a template named DEBIAN course.' } })
  const row = await portal.owner
    .selectFrom('template')
    .select(['rate_paise', 'plan_publisher', 'plan_product', 'plan_version'])
    .where('name', '=', TEMPLATE.name)
    .execute()
  expect(row).toEqual([{ rate_paise: 1_050, plan_publisher: 'debian', plan_product: 'course', plan_version: 'twelve' }])
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

test('reads offers and terms again after ten minutes', async () => {
  const at = (seconds: number) => setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 1) + seconds * 1_000))
  const { db } = portal.app
  const plan = { publisher: 'debian', product: 'course', name: 'twelve' }
  await at(0)
  expect(await locationsToRead(db)).toEqual(['southindia', 'westindia'])
  expect(await plansToRead(db)).toEqual([plan])
  const size = { size: 'Standard_D2s_v3', family: 'dsv3', cores: 2, memoryMb: 8192, withheld: null }
  await recordOffers(db, 'westindia', { sizes: [size, { ...size, size: 'Standard_D4s_v3' }], limits: [] })
  await recordTerms(db, plan, true)
  await at(599)
  expect(await locationsToRead(db)).toEqual(['southindia'])
  expect(await plansToRead(db)).toEqual([])
  await at(600)
  expect(await locationsToRead(db)).toEqual(['southindia', 'westindia'])
  expect(await plansToRead(db)).toEqual([plan])
  // A discontinued offer is deleted. The same offer in another location is not deleted.
  await recordOffers(db, 'southindia', { sizes: [size], limits: [{ family: 'dsv3', used: 1, allowed: 10 }] })
  await recordOffers(db, 'westindia', { sizes: [size], limits: [{ family: 'dsv3', used: 2, allowed: 10 }] })
  await recordOffers(db, 'westindia', { sizes: [size], limits: [{ family: 'dsv3', used: 3, allowed: 10 }] })
  const sizes = await db.selectFrom('cloud_size').select(['location', 'size']).orderBy('location').execute()
  expect(sizes).toEqual(['southindia', 'westindia'].map((location) => ({ location, size: 'Standard_D2s_v3' })))
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
  const answering = (getOffers: Cloud['getOffers']) =>
    ({
      getOffers: (location, signal) => {
        requests.push(location)
        return getOffers(location, signal)
      },
      hasAcceptedTerms: async ({ name }) => {
        requests.push(name)
        return true
      },
    }) as Partial<Cloud> as Cloud
  const failing = answering(async (location) => {
    if (location === 'southindia') throw new Error('southindia is silent')
    return { sizes: [], limits: [] }
  })
  await expect(readOffers(db, failing, stop.signal)).rejects.toThrow('southindia is silent')
  expect(requests.splice(0)).toEqual(['southindia', 'westindia', 'twelve'])
  expect([await locationsToRead(db), await plansToRead(db)]).toEqual([['southindia'], []])
  await readOffers(
    db,
    answering(async () => ({ sizes: [], limits: [] })),
    stop.signal,
  )
  expect([requests.splice(0), await locationsToRead(db)]).toEqual([['southindia'], []])

  await setPortalClock(portal.owner, new Date(Date.UTC(2031, 0, 3)))
  const calledOff = answering(async () => {
    stop.abort(new Error('called off'))
    throw new Error('this call was cut off')
  })
  await expect(readOffers(db, calledOff, stop.signal)).rejects.toThrow('called off')
  expect(requests).toEqual(['southindia'])
})

test('reports a deleted template as not found', async () => {
  expect((await send('DELETE', '/admin/template', { template: 'debian COURSE' })).status).toBe(200)
  expect((await send('DELETE', '/admin/template', { template: TEMPLATE.name })).status).toBe(404)
  const assignment = { organization: own.organization, template: TEMPLATE.name }
  expect((await send('POST', '/admin/assignTemplate', assignment)).status).toBe(404)
})
