import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { driveLabs, type LabDriver } from '@trainyard/platform/test/lab-driver.ts'
import { problemsOf } from '@trainyard/platform/test/lab-problems.ts'
import type { LabUser } from '@trainyard/platform/test/lab-environment.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedLabEnvironment } from '@trainyard/platform/test/shared.ts'

/**
 * Every operation of the Graph and sandbox adapters fails in each possible way during the lifetime of a lab user and a
 * sandbox: create, use, freeze, end. In the first run all operations fail once. With STORM=long, each operation also
 * fails alone.
 */

const GRAPH_READS = ['users.user.ListUser', 'users.user.GetUser', 'directory.GetDeletedItems']
const GRAPH_WRITES = [
  'users.user.CreateUser',
  'users.user.UpdateUser',
  'users.user.revokeSignInSessions',
  'users.user.DeleteUser',
  'directory.DeleteDeletedItems',
]
const AZURE_READS = [
  'ResourceGroups_Get',
  'RoleAssignments_ListForResourceGroup',
  'Resources_ListByResourceGroup',
  'VirtualMachines_List',
  'VirtualMachines_InstanceView',
  'Disks_ListByResourceGroup',
]
const AZURE_WRITES = [
  'ResourceGroups_CreateOrUpdate',
  'ResourceGroups_Delete',
  'PolicyAssignments_Create',
  'RoleAssignments_Create',
  'RoleAssignments_Delete',
  'VirtualMachines_Deallocate',
]
const READS = [...GRAPH_READS, ...AZURE_READS]
const WRITES = [...GRAPH_WRITES, ...AZURE_WRITES]
const ALL = [...READS, ...WRITES]
const LONG = process.env['STORM'] === 'long'
/** Milliseconds after which a hanging step is aborted; other steps must finish within this time. */
const SHORT = 1_000
/** In the short form only these operations hang, because each waits for its timeout. */
const HANGING = ['users.user.CreateUser', 'users.user.UpdateUser', 'ResourceGroups_Get', 'RoleAssignments_Delete']

const PORTS = [
  'createUser',
  'getUser',
  'blockUser',
  'deleteUser',
  'getGroup',
  'createGroup',
  'limitSizes',
  'setAccess',
  'listResources',
  'stopMachine',
  'deleteGroup',
]

interface Kind {
  readonly kind: string
  readonly operations: readonly string[]
  readonly more?: object
}

const KINDS: readonly Kind[] = [
  { kind: 'throttle', operations: ALL, more: { retryAfter: 45 } },
  { kind: 'refuseQuota', operations: ALL },
  { kind: 'unauthorised', operations: ALL },
  { kind: 'serverError', operations: ALL },
  { kind: 'malformed', operations: ALL },
  { kind: 'dropConnection', operations: ALL },
  { kind: 'hang', operations: LONG ? ALL : HANGING },
  { kind: 'loseReply', operations: ALL },
  { kind: 'doneLate', operations: WRITES, more: { seconds: 40 } },
  { kind: 'seenLate', operations: ['users.user.CreateUser'], more: { seconds: 90 } },
  { kind: 'finishFailed', operations: ['ResourceGroups_Delete', 'VirtualMachines_Deallocate'] },
]

let driver: LabDriver
let number = 0

const env = await sharedLabEnvironment()
beforeEach(() => env.control('DELETE', '/_faults'))

describe.each(KINDS)('$kind', ({ kind, operations, more }) => {
  test('one fault per operation leads to the right result, without duplicates or leftovers', async () => {
    for (const operation of operations) {
      await env.control('POST', '/_faults', { kind, operation, times: 1, ...more })
    }
    expect(await runLifetime(kind === 'hang' ? SHORT : undefined)).toEqual([])
    const { faults } = (await env.control('GET', '/_faults')).body
    const never = faults.filter(({ happened }: { happened: number }) => happened === 0)
    expect(never.map(({ operation }: { operation: string }) => operation)).toEqual([])
  }, 60_000)

  test.each(LONG ? operations : [])(
    '%s fails three times',
    async (operation) => {
      await env.control('POST', '/_faults', { kind, operation, times: 3, ...more })
      expect(await runLifetime(kind === 'hang' ? SHORT : undefined)).toEqual([])
    },
    60_000,
  )
})

test('a deletion that does not finish is reported with access blocked, and completes later', async () => {
  const { user, group } = await startReady()
  await env.control('POST', '/_faults', { kind: 'neverFinish', operation: 'ResourceGroups_Delete' })
  await user.call('DELETE', '/sandbox/azure', { resourceGroupName: group })
  await driver.run(1_200)
  const { sandbox } = (await user.call('GET', '/sandbox/azure')).body
  expect(sandbox[0]).toMatchObject({ status: 'Deleting', statusReason: expect.stringContaining('still deleting') })
  expect(await rolesOf(user)).toEqual([])
  await env.control('POST', `/_groups/${group}/vanish`)
  await driver.run(600)
  expect(await differencesAtEnd(user)).toEqual([])
})

test('an end requested during a pause of the provider waits for it, and no longer', async () => {
  const { user, group } = await startReady()
  const throttled = { kind: 'throttle', operation: 'Resources_ListByResourceGroup', retryAfter: 120, times: 1 }
  await env.control('POST', '/_faults', throttled)
  await driver.run(310)
  expect(driver.calls.some(({ status }) => status === 429)).toBe(true)
  await user.call('DELETE', '/sandbox/azure', { resourceGroupName: group })
  await driver.run(150)
  expect(await rolesOf(user)).toEqual([])
  expect(await differencesAtEnd(user)).toEqual([])
})

test('a user whom the directory does not delete stays blocked, and is deleted later', async () => {
  const { user } = await startReady()
  await env.control('POST', '/_faults', { kind: 'serverError', operation: 'users.user.DeleteUser' })
  await env.superadmin('DELETE', '/sandbox/user', { email: user.email })
  await driver.run(900)
  const directoryUser = (await env.labTruth()).users.find(({ mailNickname }) => mailNickname === user.id)
  expect(directoryUser).toMatchObject({ exists: true, canSignIn: false, roles: [] })
  const { users } = (await env.superadmin('GET', '/sandbox/user')).body
  const shown = users.find(({ email }: { email: string }) => email === user.email)
  expect(shown).toMatchObject({ status: 'Ending', statusReason: expect.stringContaining('Entra failed') })
  await env.control('DELETE', '/_faults')
  await driver.run(600)
  expect(await differencesAtEnd(user)).toEqual([])
})

test('a worker killed before and after every call does not change the result', async () => {
  const seen = new Map<string, number>()
  driver = await driveLabs(env, {
    labs: (labs, kill) => {
      const killOnCall = <Port extends object>(port: Port): Port =>
        new Proxy(port, {
          get:
            (target, name) =>
            async (subject: { id?: string }, ...rest: unknown[]) => {
              const call = `${String(name)} ${JSON.stringify(rest[0] ?? null).slice(0, 30)}`
              const turn = (seen.get(call) ?? 0) + 1
              seen.set(call, turn)
              if (turn === 1) return kill()
              const work = (target as Record<string | symbol, (...all: unknown[]) => Promise<unknown>>)[name]!
              const answer = await work(subject, ...rest)
              return turn === 2 ? kill() : answer
            },
        })
      return { identity: killOnCall(labs.identity), groups: killOnCall(labs.groups) }
    },
  })
  const user = await labUser()
  await scenario(user)
  expect(await differencesAtEnd(user)).toEqual([])
  expect([...seen].filter(([, turns]) => turns < 2)).toEqual([])
  expect(new Set([...seen.keys()].map((call) => call.split(' ', 1)[0]))).toEqual(new Set(PORTS))
}, 60_000)

describe('changes outside the portal', () => {
  test('a deleted group ends its sandbox, which is not recreated', async () => {
    const { user, group } = await startReady()
    await env.control('POST', `/_groups/${group}/vanish`)
    await driver.run(1_000)
    expect((await user.call('GET', '/sandbox/azure')).body.sandbox).toEqual([])
    expect((await env.labTruth()).resourceGroups.map(({ name }) => name)).not.toContain(group)
  })

  test('added and removed roles are corrected', async () => {
    const { user, group } = await startReady()
    const other = (await env.userRow((await startReady()).user.email)).object_id
    await armRole(group, other!)
    await driver.run(400)
    expect(await holders(group)).toEqual([(await env.userRow(user.email)).object_id])
  })

  test("a deleted user ends with the user's sandboxes", async () => {
    const { user, group } = await startReady()
    await graph('DELETE', `/users/${user.email}`)
    await driver.run(2_400)
    expect((await env.userRow(user.email)).ended_at).not.toBeNull()
    expect((await env.labTruth()).resourceGroups.map(({ name }) => name)).not.toContain(group)
  })

  test('a user restored and enabled after the end is deleted again', async () => {
    const { user } = await startReady()
    const { object_id } = await env.userRow(user.email)
    await env.control('POST', '/_faults', { kind: 'serverError', operation: 'directory.DeleteDeletedItems', times: 1 })
    await env.superadmin('DELETE', '/sandbox/user', { email: user.email })
    await driver.run(1)
    await graph('POST', `/directory/deletedItems/${object_id}/restore`)
    await graph('PATCH', `/users/${object_id}`, { accountEnabled: true })
    await driver.run(900)
    expect(await differencesAtEnd(user)).toEqual([])
  })
})

async function labUser(): Promise<LabUser> {
  number += 1
  return env.labUser(`life${number}`)
}

async function startReady() {
  driver = await driveLabs(env)
  const user = await labUser()
  expect((await user.create('one')).status).toBe(200)
  await driver.run(400)
  expect((await user.call('GET', '/sandbox/azure')).body.sandbox).toMatchObject([{ status: 'Ready' }])
  return { user, group: user.group('one') }
}

async function runLifetime(timeoutMs = 5_000): Promise<string[]> {
  driver = await driveLabs(env, { timeoutMs })
  const user = await labUser()
  await scenario(user)
  return differencesAtEnd(user)
}

/**
 * Runs a lifetime: creates, uses, freezes (credits used up) and ends a sandbox. Checks each state within ten minutes.
 */
async function scenario(user: LabUser): Promise<void> {
  const group = user.group('one')
  expect((await user.create('one')).status).toBe(200)
  await driver.run(600)
  expect((await user.call('GET', '/sandbox/azure')).body.sandbox).toMatchObject([{ status: 'Ready' }])
  expect(await rolesOf(user)).toEqual([{ group, role: 'Contributor' }])
  // A fault may affect the user's own calls, which are therefore retried.
  const put = () => env.putMachine(user.email, group, { name: `m${number}` })
  await until('the machine exists', put, (status) => status < 300)
  await driver.run(600)
  await sql`update azure_user set total_paise = consumed_paise + 1 where id = ${user.id}`.execute(env.db)
  await driver.run(900)
  expect(await rolesOf(user)).toEqual([{ group, role: 'Reader' }])
  const machine = (await env.labTruth()).machines.find(({ name }) => name === `m${number}`)
  expect(machine?.power).toBe('deallocated')
  expect((await env.superadmin('DELETE', '/sandbox/user', { email: user.email })).status).toBe(200)
  await driver.run(900)
}

async function differencesAtEnd(user: LabUser): Promise<string[]> {
  await driver.run(600)
  return problemsOf(env, driver, user)
}

const rolesOf = async (user: LabUser) =>
  (await env.labTruth()).users.find(({ mailNickname }) => mailNickname === user.id)?.roles ?? []

const subscription = '/subscriptions/00000000-0000-4000-8000-000000000001'

async function armRole(group: string, principalId: string): Promise<void> {
  const scope = `${subscription}/resourceGroups/${group}/providers/Microsoft.Authorization/roleAssignments`
  const role = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`
  const reply = await fetch(`${env.emulator.url}${scope}/0198c0de-0000-5000-8000-00000000000a?api-version=2022-04-01`, {
    method: 'PUT',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ properties: { roleDefinitionId: role, principalId } }),
  })
  expect(reply.status).toBe(201)
}

async function holders(group: string): Promise<unknown[]> {
  const assignments = (await env.labTruth()).roleAssignments as { scope: string; principal: string }[]
  return assignments.filter(({ scope }) => scope.endsWith(`/${group}`)).map(({ principal }) => principal)
}

async function graph(method: string, path: string, body?: object): Promise<void> {
  const reply = await fetch(`${env.emulator.url}/v1.0${path}`, {
    method,
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(reply.status).toBeLessThan(300)
}
