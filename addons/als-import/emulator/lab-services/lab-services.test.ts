import { LabServicesClient, type Lab } from '@azure/arm-labservices'
import { describe, expect, test } from 'vitest'
import { azureCredential, azureTransport } from '@trainyard/platform/emulator/test/azure-transport.ts'
import type { Exchange } from '@trainyard/platform/emulator/test/exchange.ts'
import {
  labServicesConversations,
  labServicesSpecification,
  whyNoLabServices,
} from '@trainyard/platform/emulator/test/lab-services.ts'
import { labServicesFiles, officialValidator } from '@trainyard/platform/emulator/test/official-validator.ts'
import { sharedTestEmulator } from '@trainyard/platform/emulator/test/shared-test-emulator.ts'
import { inGroup, subscription } from '@trainyard/platform/emulator/test/test-emulator.ts'

const emulator = await sharedTestEmulator()
await emulator.arm('PUT', inGroup, { location: 'southindia' })
const provider = `${inGroup}/providers/Microsoft.LabServices`

const LAB: Lab = {
  location: 'southindia',
  title: 'Networks 101',
  autoShutdownProfile: { shutdownOnDisconnect: 'Disabled', shutdownOnIdle: 'UserAbsence', idleDelay: 'PT15M' },
  connectionProfile: { clientSshAccess: 'Public' },
  securityProfile: { openAccess: 'Disabled' },
  virtualMachineProfile: {
    createOption: 'TemplateVM',
    imageReference: {
      publisher: 'canonical',
      offer: '0001-com-ubuntu-server-jammy',
      sku: '22_04-lts',
      version: 'latest',
    },
    sku: { name: 'Classic_Fsv2_2_4GB_128_S_SSD', capacity: 2 },
    usageQuota: 'PT10H',
    useSharedPassword: 'Enabled',
    adminUser: { username: 'student', password: 'Sup3r-secret' },
  },
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

function clientOf(exchanges: Exchange[], apiVersion: string): LabServicesClient {
  return new LabServicesClient(azureCredential, subscription, {
    apiVersion,
    httpClient: azureTransport(emulator.url, (exchange) => void exchanges.push(exchange)),
    retryOptions: { maxRetries: 0 },
  })
}

test.each(['2021-10-01-preview', '2022-08-01', '2023-06-07'])(
  'serves the official client in version %s from the plan to the registered user',
  async (version) => {
    const exchanges: Exchange[] = []
    const client = clientOf(exchanges, version)
    const name = `lab-${version}`
    const poll = { updateIntervalInMs: 1 }
    await client.labPlans.beginCreateOrUpdateAndWait(
      'labs',
      `plan-${version}`,
      { location: 'southindia', allowedRegions: ['southindia'] },
      poll,
    )
    await client.labs.beginCreateOrUpdateAndWait('labs', name, LAB, poll)
    expect((await client.labs.get('labs', name)).state).toBe('Draft')
    await client.labs.beginPublishAndWait('labs', name, poll)
    await client.users.beginCreateOrUpdateAndWait('labs', name, 'asha', { email: 'asha@school.test' }, poll)
    await client.users.beginInviteAndWait('labs', name, 'asha', {}, poll)
    await client.schedules.createOrUpdate('labs', name, 'mondays', {
      startAt: new Date('2026-10-05T09:00:00Z'),
      stopAt: new Date('2026-10-05T11:00:00Z'),
      timeZoneId: 'America/Los_Angeles',
      recurrencePattern: { frequency: 'Weekly', weekDays: ['Monday'], expirationDate: new Date('2026-12-21') },
    })
    const lab = `${provider}/labs/${name}`
    const registered = { lab, user: 'asha', displayName: 'Asha Rao', totalUsage: 'PT3H30M' }
    expect((await emulator.control('POST', '/_labs/register', registered)).status).toBe(200)
    const [user] = await collect(client.users.listByLab('labs', name))
    expect(user).toMatchObject({ registrationState: 'Registered', invitationState: 'Sent', totalUsage: 'PT3H30M' })
    const machines = await collect(client.virtualMachines.listByLab('labs', name))
    expect(machines.map(({ name, vmType, claimedByUserId }) => [name, vmType, claimedByUserId])).toEqual([
      ['0', 'Template', undefined],
      ['1', 'User', `${lab}/users/asha`],
      ['2', 'User', undefined],
    ])
    const filter = `Properties/ClaimedByUserId eq '${lab}/users/asha'`
    expect(await collect(client.virtualMachines.listByLab('labs', name, { filter }))).toHaveLength(1)
    await client.virtualMachines.beginStartAndWait('labs', name, '1', poll)
    expect((await client.virtualMachines.get('labs', name, '1')).state).toBe('Running')
    expect((await collect(client.schedules.listByLab('labs', name))).map(({ timeZoneId }) => timeZoneId)).toEqual([
      'America/Los_Angeles',
    ])
    expect(exchanges.every(({ url }) => url.includes(`api-version=${version}`))).toBe(true)
    expect(exchanges.filter(({ headers }) => 'retry-after' in headers)).toEqual([])
    await client.labs.beginDeleteAndWait('labs', name, poll)
    expect((await collect(client.labs.listBySubscription())).map((each) => each.name)).not.toContain(name)
  },
)

test('returns the times of a schedule with a Z, although they are local times', async () => {
  await emulator.arm('PUT', `${provider}/labs/clocks`, { location: 'eastus', properties: bodyOf(LAB) })
  const path = `${provider}/labs/clocks/schedules/one`
  const startAt = '2025-07-07T15:19:07.0000000'
  const properties = { startAt, stopAt: '2025-07-07T16:19:07+09:00', timeZoneId: 'America/Los_Angeles' }
  const { status, body } = await emulator.arm('PUT', path, { properties })
  expect([status, body.properties.startAt, body.properties.stopAt]).toEqual([
    201,
    '2025-07-07T15:19:07Z',
    '2025-07-07T16:19:07Z',
  ])
})

test('pages the images of a plan by a link that names the port', async () => {
  await emulator.arm('PUT', `${provider}/labPlans/images`, { location: 'eastus', properties: {} })
  const first = await emulator.arm('GET', `${provider}/labPlans/images/images`)
  expect(first.body.value).toHaveLength(200)
  expect(first.body.nextLink).toMatch(/^https:\/\/management\.azure\.com:443\/.*&\$skipToken=200$/)
  const exchanges: Exchange[] = []
  const images = await collect(clientOf(exchanges, '2022-08-01').images.listByLabPlan('labs', 'images'))
  expect(new Set(images.map(({ name }) => name)).size).toBe(images.length)
  expect(exchanges).toHaveLength(2)
})

test('reports a missing child as a problem and a missing lab as an error of the gateway', async () => {
  await emulator.arm('PUT', `${provider}/labs/missing`, { location: 'eastus', properties: bodyOf(LAB) })
  const child = await emulator.arm('GET', `${provider}/labs/missing/users/nobody`)
  expect([child.status, child.headers.get('content-type'), child.body.title]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
    'Not Found',
  ])
  const lab = await emulator.arm('GET', `${provider}/labs/absent`)
  expect([lab.status, lab.body.error.code, lab.headers.get('x-ms-failure-cause')]).toEqual([
    404,
    'ResourceNotFound',
    'gateway',
  ])
  const sync = await emulator.arm('POST', `${provider}/labs/missing/syncGroup`)
  expect([sync.status, sync.body.error.code]).toEqual([400, 'CannotSyncWithoutGroup'])
  const version = await fetch(`${emulator.url}${provider}/labs?api-version=2018-10-15`, {
    headers: { authorization: 'Bearer of-a-test' },
  })
  expect(version.status).toBe(404)
})

/** Returns the body that the client sends for a lab. */
const bodyOf = (lab: Lab): unknown => Object.fromEntries(Object.entries(lab).filter(([name]) => name !== 'location'))

describe.skipIf(labServicesSpecification === undefined)(
  `the official OpenAPI (skipped when ${whyNoLabServices})`,
  () => {
    test('accepts every request and reply of version 2023-06-07', async () => {
      const validate = await officialValidator(labServicesSpecification!, labServicesFiles)
      const exchanges: Exchange[] = []
      const client = clientOf(exchanges, '2023-06-07')
      const poll = { updateIntervalInMs: 1 }
      await client.labPlans.beginCreateOrUpdateAndWait(
        'labs',
        'judged',
        { location: 'southindia', allowedRegions: ['southindia'] },
        poll,
      )
      await client.labPlans.beginUpdateAndWait('labs', 'judged', { allowedRegions: ['southindia'] }, poll)
      await client.labs.beginCreateOrUpdateAndWait('labs', 'judged', LAB, poll)
      await client.labs.beginUpdateAndWait('labs', 'judged', { title: 'Networks 102' }, poll)
      await client.labs.beginPublishAndWait('labs', 'judged', poll)
      await client.users.beginCreateOrUpdateAndWait('labs', 'judged', 'one', { email: 'one@school.test' }, poll)
      await client.users.beginUpdateAndWait('labs', 'judged', 'one', { additionalUsageQuota: 'PT2H' }, poll)
      await collect(client.labPlans.listBySubscription())
      await collect(client.labPlans.listByResourceGroup('labs'))
      await collect(client.images.listByLabPlan('labs', 'judged'))
      await collect(client.labs.listByResourceGroup('labs'))
      await collect(client.users.listByLab('labs', 'judged'))
      await collect(client.virtualMachines.listByLab('labs', 'judged'))
      await collect(client.skus.list())
      await collect(client.usages.listByLocation('southindia'))
      await client.users.beginDeleteAndWait('labs', 'judged', 'one', poll)
      await client.labPlans.beginDeleteAndWait('labs', 'judged', poll)
      const published = exchanges.filter(({ url }) => !/operationResults/i.test(url))
      const verdicts = await Promise.all(published.map(validate))
      expect(verdicts.flatMap(({ violations }) => violations)).toEqual([])
      expect(new Set(verdicts.map(({ operation }) => operation)).size).toBeGreaterThanOrEqual(17)
    })
  },
)

describe.skipIf(labServicesConversations === undefined)(
  `recorded conversations (skipped when ${whyNoLabServices})`,
  () => {
    /** Fields that depend on what was created before, or that only some objects have. */
    const OPTIONAL =
      /^(tags|systemData|properties\.(rosterProfile|networkProfile|description|labPlanId|additionalUsageQuota))/

    test('are answered by the emulator with the recorded statuses, headers and fields', async () => {
      const differences: string[] = []
      let compared = 0
      for (const { conversation, interactions } of labServicesConversations ?? []) {
        for (const { request, response } of interactions) {
          const { pathname, search, searchParams } = new URL(request.url)
          const isCreation = /^PUT$/.test(request.method) && response.status === 201
          if (!isCreation || response.excerpt !== undefined) continue
          const group = /\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(pathname)![0]
          await emulator.arm('PUT', group, { location: 'eastus' })
          const lab = /^(.*\/labs\/[^/]+)\/(users|schedules)\//i.exec(pathname)?.[1]
          if (lab !== undefined) await emulator.arm('PUT', lab, { location: 'eastus', properties: bodyOf(LAB) })
          const answer = await fetch(`${emulator.url}${pathname}${search}`, {
            method: 'PUT',
            headers: { authorization: 'Bearer of-a-test', 'content-type': 'application/json' },
            body: JSON.stringify(request.body),
          })
          const body: unknown = await answer.json()
          const names = Object.keys(response.headers).filter((name) => /location|asyncoperation/.test(name))
          const missing = names.filter((name) => !answer.headers.has(name))
          const expectedFields = fieldsOf(response.body).filter((field) => !OPTIONAL.test(field))
          const actualFields = new Set(fieldsOf(body))
          const missingFields = expectedFields.filter((field) => !actualFields.has(field))
          if (answer.status !== response.status || missing.length > 0 || missingFields.length > 0) {
            differences.push(
              `${conversation} ${searchParams.get('api-version')}: ${answer.status} ${[...missing, ...missingFields].join(' ')}`,
            )
          }
          compared += 1
        }
      }
      expect(differences).toEqual([])
      expect(compared).toBeGreaterThan(0)
    })
  },
)

function fieldsOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at]
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, at === '' ? name : `${at}.${name}`))
}
