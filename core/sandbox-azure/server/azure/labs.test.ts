/** @module-tag full */
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { brokenInvariants } from '@trainyard/platform/server/invariants/check.ts'
import type { LabUser } from '@trainyard/platform/test/lab-environment.ts'
import { until } from '@trainyard/platform/test/until.ts'
import { sharedLabEnvironment } from '@trainyard/platform/test/shared.ts'

const env = await sharedLabEnvironment()
await env.worker()
const asha = await env.labUser('asha')
afterEach(async () => {
  const broken = await brokenInvariants(env.db, { quiet: false })
  if (broken.length + env.bugs.length > 0) throw new Error(JSON.stringify({ broken, bugs: env.bugs.map(String) }))
})

const directoryUser = async (user: LabUser) =>
  (await env.labTruth()).users.find(({ mailNickname }) => mailNickname === user.id)
const credits = async (user: LabUser) => (await user.call('GET', '/sandbox/azure')).body.credits
const groupExists = async (group: string) =>
  (await env.labTruth()).resourceGroups.some(({ name }) => name.toLowerCase() === group.toLowerCase())

test('a lab user is created in the directory and finds the sign-in data in the portal', async () => {
  await env.settled()
  expect(await directoryUser(asha)).toMatchObject({ userPrincipalName: 'asha@labs.test', canSignIn: true, roles: [] })
  const { body } = await asha.call('POST', '/sandbox/azure/signin', {})
  expect(body).toMatchObject({ username: 'asha@labs.test', password: expect.stringMatching(/^.{18}$/) })
  const { users } = (await env.superadmin('GET', '/sandbox/user')).body
  expect(users[0]).toMatchObject({ email: 'asha@labs.test', status: 'Ready', duration: 5 })
})

test('a sandbox is a tagged group with limited sizes and access only for its user', async () => {
  expect(await asha.create('one')).toEqual({
    status: 200,
    message: 'Request Sent, please wait 10 seconds and refresh!',
  })
  await env.settled()
  const { sandbox } = (await asha.call('GET', '/sandbox/azure')).body
  expect(sandbox).toMatchObject([{ resourceGroupName: asha.group('one'), status: 'Ready', statusReason: null }])
  const group = (await env.labTruth()).resourceGroups.find(({ name }) => name === asha.group('one'))
  expect(group?.tags).toMatchObject({ 'trainyard-sandbox': sandbox[0]._id, 'trainyard-user': 'asha@labs.test' })
  expect((await directoryUser(asha))?.roles).toEqual([{ group: asha.group('one'), role: 'Contributor' }])
  expect(await env.putMachine(asha.email, asha.group('one'), { name: 'large', size: 'Standard_D16ds_v4' })).toBe(403)
  expect(await env.putMachine(asha.email, asha.group('one'), { name: 'small', size: 'Standard_D2s_v3' })).toBe(201)
})

test('the resources in a sandbox are charged every five minutes', async () => {
  const before = await credits(asha)
  const began = env.now().getTime()
  await env.advance(600, 300)
  const after = await credits(asha)
  // The clock continues while this computer is busy.
  const tookMinutes = (env.now().getTime() - began) / 60_000
  // Cost of ten minutes of the machine, its disk and its address. One of the two charges may be missing.
  const tenMinutes = (1_400 + (1_000 * 30) / 730 + 45) / 6 / 100
  expect(after.consumed - before.consumed).toBeGreaterThan(tenMinutes * 0.45)
  expect(after.consumed - before.consumed).toBeLessThan((tenMinutes / 10) * tookMinutes * 1.05)
  expect(after.total).toBe(1_000)
})

/** Cost per hour of a machine, its disk and its address, in paise. */
const MACHINE_HOUR = 1_400 + (1_000 * 30) / 730 + 45

test('all sandboxes of a user freeze within a minute after the last rupee is used, not earlier, and no new one can be created', async () => {
  expect((await asha.create('two')).status).toBe(200)
  await env.settled()
  expect(await env.putMachine(asha.email, asha.group('two'), { name: 'other', size: 'Standard_D2s_v3' })).toBe(201)
  // Both are charged up to now. The remaining credits last a little over seven minutes for both.
  await env.advance(330)
  const remaining = 360
  await sql`update azure_user set total_paise = consumed_paise + ${remaining} where id = ${asha.id}`.execute(env.db)
  const began = env.now().getTime()
  const lifetimeMs = (remaining / (2 * MACHINE_HOUR)) * 3_600_000
  const statuses: string[] = []
  const isUsedUp = async () => {
    const { sandbox, credits: now } = (await asha.call('GET', '/sandbox/azure')).body
    if (now.consumed >= now.total) return true
    statuses.push(...sandbox.map(({ status }: { status: string }) => status))
    return false
  }
  while (!(await isUsedUp())) await env.advance(10, 10)
  const usedUpAt = env.now().getTime()
  expect(new Set(statuses)).toEqual(new Set(['Ready']))
  // When the total was set, the resources had been charged at most five minutes earlier.
  expect(usedUpAt - began).toBeGreaterThan(lifetimeMs - 300_000 - 20_000)
  expect(usedUpAt - began).toBeLessThan(lifetimeMs + 60_000)
  await env.advance(40, 10)
  const { sandbox, credits: now } = (await asha.call('GET', '/sandbox/azure')).body
  expect(now.consumed).toBe(now.total)
  const frozen = { status: 'Frozen', statusReason: expect.stringContaining('credits are used up') }
  expect(sandbox).toMatchObject([frozen, frozen])
  expect((await directoryUser(asha))?.roles.map(({ role }) => role)).toEqual(['Reader', 'Reader'])
  const machines = (await env.labTruth()).machines.filter(({ name }) => name === 'small' || name === 'other')
  expect(machines.map(({ power }) => power)).toEqual(['deallocated', 'deallocated'])
  expect(await env.putMachine(asha.email, asha.group('one'), { name: 'more' })).toBe(403)
  expect(await asha.create('three')).toEqual({ status: 409, message: 'No credits are left.' })
})

test('a machine started again outside the portal is stopped again', async () => {
  await env.control('POST', '/_machines/small/start')
  await env.advance(330)
  const machine = (await env.labTruth()).machines.find(({ name }) => name === 'small')
  expect(machine?.power).toBe('deallocated')
})

test('failing role assignments do not prevent charging, freezing and stopping', { tags: ['storm'] }, async () => {
  const kiran = await env.labUser('kiran')
  expect((await kiran.create('kept')).status).toBe(200)
  await env.settled()
  expect(await env.putMachine(kiran.email, kiran.group('kept'), { name: 'busy', size: 'Standard_D2s_v3' })).toBe(201)
  await env.advance(10)
  await env.control('POST', '/_faults', {
    kind: 'serverError',
    operation: 'RoleAssignments_ListForResourceGroup',
    times: 10_000,
  })
  await sql`update azure_user set total_paise = consumed_paise + 120 where id = ${kiran.id}`.execute(env.db)
  await env.advance(660, 30)
  const machine = (await env.labTruth()).machines.find(({ name }) => name === 'busy')
  expect((await credits(kiran)).consumed).toBe((await credits(kiran)).total)
  expect(machine?.power).toBe('deallocated')
  expect((await env.sandboxRow(kiran.group('kept'))).last_error).not.toBeNull()
  await env.control('DELETE', '/_faults')
  await env.advance(120, 30)
  expect((await directoryUser(kiran))?.roles.map(({ role }) => role)).toEqual(['Reader'])
  expect((await env.sandboxRow(kiran.group('kept'))).last_error).toBeNull()
})

test('a sandbox ends at its deleteTime: no user has access and nothing remains', async () => {
  const { delete_at } = await env.sandboxRow(asha.group('two'))
  await env.step((delete_at.getTime() - env.now().getTime()) / 1000)
  await env.settled()
  expect((await directoryUser(asha))?.roles).toEqual([])
  await env.advance(400)
  expect(await groupExists(asha.group('one'))).toBe(false)
  expect((await env.sandboxRow(asha.group('one'))).ended_at).not.toBeNull()
  expect((await asha.call('GET', '/sandbox/azure')).body.sandbox).toEqual([])
})

describe('a name', () => {
  test('that another user has is rejected, and the other sandbox is not changed', async () => {
    const meera = await env.labUser('meera')
    const variant = await env.labUser('twin')
    await env.settled()
    // Two IDs with the same prefix are rare, so the test creates them.
    const id = meera.id.slice(0, 8) + variant.id.slice(8)
    const first_password = env.parts.seal.seal('Correct-Horse-7', id)
    await sql`update azure_user set id = ${id}, first_password = ${first_password} where id = ${variant.id}`.execute(
      env.db,
    )
    expect((await meera.create('Same')).status).toBe(200)
    const body = { resourceGroupName: meera.group('same'), resourceGroupLocation: 'eastus' }
    const second = await variant.call('POST', '/sandbox/azure', body)
    expect([second.status, second.body.message]).toEqual([409, expect.stringContaining('is taken')])
    await env.settled()
    const removed = await variant.call('DELETE', '/sandbox/azure', { resourceGroupName: meera.group('Same') })
    expect(removed.status).toBe(404)
    expect(await env.sandboxRow(meera.group('Same'))).toMatchObject({ azure_user_id: meera.id, desired: 'ready' })
    expect((await directoryUser(meera))?.roles).toHaveLength(1)
  })

  test.each([
    ['too long', 'sixsix', 'Sandbox name must be 1 to 5 characters long.'],
    ['empty', '', 'Sandbox name must be 1 to 5 characters long.'],
    ['invalid characters', 'a b', 'Sandbox name must contain only letters, digits, hyphens and underscores.'],
  ])('is rejected: %s', async (_, name, message) => {
    expect(await asha.create(name)).toMatchObject({ status: 400, message })
  })

  test("with another user's prefix is rejected", async () => {
    const body = { resourceGroupName: '00000000-one-sandbox', resourceGroupLocation: 'eastus' }
    expect((await asha.call('POST', '/sandbox/azure', body)).status).toBe(400)
  })

  test('of a group at the cloud that is not ours is never adopted and never deleted', async () => {
    const vik = await env.labUser('vik')
    await env.settled()
    const path = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${vik.group('old')}`
    const deletions = async () => (await env.labTruth()).calls['ResourceGroups_Delete']
    const before = await deletions()
    await fetch(`${env.emulator.url}${path}?api-version=2024-11-01`, {
      method: 'PUT',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: '{"location":"eastus"}',
    })
    await vik.create('old')
    const shown = () => vik.call('GET', '/sandbox/azure').then(({ body }) => body.sandbox[0])
    await until('the conflict is reported', shown, (sandbox) => sandbox?.status === 'Failing')
    expect((await shown()).statusReason).toContain('does not belong to this portal')
    await vik.call('DELETE', '/sandbox/azure', { resourceGroupName: vik.group('old') })
    await env.advance(400, 60)
    expect(await groupExists(vik.group('old'))).toBe(true)
    expect(await deletions()).toBe(before)
  })
})

test("a deleted sandbox leaves list, count and name within 30 s after its group's deletion, however new it is", async () => {
  const devi = await env.labUser('devi')
  await env.settled()
  await devi.create('brief')
  await env.settled()
  expect(await groupExists(devi.group('brief'))).toBe(true)
  const count = async () => (await env.superadmin('GET', '/admin/dashboard')).body.azureSandbox as number
  const before = await count()
  await devi.call('DELETE', '/sandbox/azure', { resourceGroupName: devi.group('brief') })
  await env.settled()
  for (let seconds = 0; await groupExists(devi.group('brief')); seconds += 10) {
    expect(seconds).toBeLessThan(600)
    await env.advance(10, 10)
  }
  await env.advance(30, 10)
  expect((await devi.call('GET', '/sandbox/azure')).body.sandbox).toEqual([])
  expect(await count()).toBe(before - 1)
  expect((await devi.create('brief')).status).toBe(200)
  await env.settled()
})

test('a sandbox whose creation had no reply is waited for and deleted when it appears late', async () => {
  const esha = await env.labUser('esha')
  await env.settled()
  await env.control('POST', '/_faults', {
    kind: 'doneLate',
    operation: 'ResourceGroups_CreateOrUpdate',
    seconds: 200,
    times: 1,
  })
  await esha.create('late')
  await until(
    'it was sent',
    () => env.sandboxRow(esha.group('late')),
    ({ last_error }) => last_error !== null,
  )
  await esha.call('DELETE', '/sandbox/azure', { resourceGroupName: esha.group('late') })
  await env.advance(120, 20)
  expect((await esha.call('GET', '/sandbox/azure')).body.sandbox).toMatchObject([{ status: 'Deleting' }])
  await env.advance(90, 30)
  expect(await groupExists(esha.group('late'))).toBe(true)
  await env.advance(150, 30)
  expect(await groupExists(esha.group('late'))).toBe(false)
  await env.advance(30, 10)
  expect((await esha.call('GET', '/sandbox/azure')).body.sandbox).toEqual([])
})

test('a lab user whose portal account is deleted ends everywhere', async () => {
  const user = await env.labUser('kavya')
  await env.settled()
  const removed = await env.superadmin('DELETE', '/admin/users', { email: user.email, organization: null })
  expect(removed.status).toBe(200)
  const readUser = () => directoryUser(user)
  await until('the user cannot sign in at the provider', readUser, (each) => each?.canSignIn === false)
})

test('a lab user whose days expire is blocked and deleted permanently, with sandboxes and account', async () => {
  const { id } = asha
  await asha.create('last')
  const omar = await env.labUser('omar')
  await omar.create('o')
  await env.settled()
  expect((await env.superadmin('DELETE', '/sandbox/user', { email: omar.email })).status).toBe(200)
  expect((await omar.call('GET', '/sandbox/azure')).status).toBe(401)
  const { end_at } = await env.userRow(asha.email)
  await env.step((end_at.getTime() - env.now().getTime()) / 1000)
  await env.settled()
  for (const user of [asha, omar]) expect(await directoryUser(user)).toMatchObject({ canSignIn: false })
  await env.advance(420, 60)
  for (const user of [asha, omar]) {
    expect(await directoryUser(user)).toMatchObject({ exists: false, purgedAt: expect.any(String), roles: [] })
    expect((await env.userRow(user.email)).ended_at).not.toBeNull()
  }
  expect(await groupExists(asha.group('last'))).toBe(false)
  const { users } = (await env.superadmin('GET', '/sandbox/user')).body
  expect(users.map((user: { userId: string }) => user.userId)).not.toContain(id)
  const again = await env.labUser('asha')
  expect(again.id).not.toBe(id)
})

test('a deallocated machine is not charged, and resources without a price are listed and not charged', async () => {
  const ravi = await env.labUser('ravi')
  await env.settled()
  expect((await ravi.create('mixed')).status).toBe(200)
  await env.settled()
  const group = ravi.group('mixed')
  expect(await env.putMachine(ravi.email, group, { name: 'rests', size: 'Standard_D2s_v3' })).toBe(201)
  expect(await env.putMachine(ravi.email, group, { name: 'works', size: 'Standard_B1s' })).toBe(201)
  expect((await env.control('POST', '/_machines/rests/deallocate')).status).toBe(200)
  const gallery = `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/${group}/providers/Microsoft.Compute/galleries/theirs`
  const created = await fetch(`${env.emulator.url}${gallery}?api-version=2024-03-03`, {
    method: 'PUT',
    headers: { authorization: 'Bearer emulator', 'content-type': 'application/json' },
    body: JSON.stringify({ location: 'southindia' }),
  })
  expect(created.status).toBe(201)
  await env.advance(600, 300)
  const { rows } = await sql<{ cost: number; seconds: number }>`
    select cost_paise as cost, extract(epoch from to_at - from_at)::float8 as seconds from sandbox_charge c
    join sandbox s on s.id = c.sandbox_id where s.group_name = ${group} order by c.id desc limit 1`.execute(env.db)
  const { cost, seconds } = rows[0]!
  // The small machine runs. Both machines have a disk and an address.
  const hour = 110 + 2 * ((1_000 * 30) / 730 + 45)
  expect(Math.abs(cost - (hour * seconds) / 3600)).toBeLessThanOrEqual(1)
  const { sandbox } = (await ravi.call('GET', '/sandbox/azure')).body
  expect(sandbox[0].notPriced).toEqual(['theirs (Microsoft.Compute/galleries)'])
  const { users } = (await env.superadmin('GET', '/sandbox/user')).body
  const listedUser = (users as { email: string; sandbox: { notPriced: string[] }[] }[]).find(
    ({ email }) => email === ravi.email,
  )
  expect(listedUser?.sandbox[0]?.notPriced).toEqual(sandbox[0].notPriced)
})

describe('a user not yet known to Azure', () => {
  afterAll(() => env.control('POST', '/_directory', { lagSeconds: 0 }))

  const sandboxOf = async (user: LabUser) => (await user.call('GET', '/sandbox/azure')).body.sandbox[0]
  const roleRequests = async () => (await env.labTruth()).calls.RoleAssignments_Create ?? 0

  test('is waited for, and the sandbox shows that instead of a failure', { tags: ['storm'] }, async () => {
    await env.control('POST', '/_directory', { lagSeconds: 200 })
    const expiringUser = await env.labUser('soon')
    await env.settled()
    expect((await expiringUser.create('lab')).status).toBe(200)
    await env.advance(60)
    const reason = 'Azure does not know the new user yet. This takes up to five minutes.'
    expect(await sandboxOf(expiringUser)).toMatchObject({ status: 'Creating', statusReason: reason })
    await env.advance(210)
    expect(await sandboxOf(expiringUser)).toMatchObject({ status: 'Ready', statusReason: null })
  })

  test(
    'is abandoned after half an hour with a reason, and the sandbox can be deleted',
    { tags: ['storm'] },
    async () => {
      await env.control('POST', '/_directory', { lagSeconds: 250 })
      const neverSignedIn = await env.labUser('never')
      await env.settled()
      expect((await neverSignedIn.create('lab')).status).toBe(200)
      await env.advance(30)
      expect(await sandboxOf(neverSignedIn)).toMatchObject({ status: 'Creating' })
      const { id } = await env.sandboxRow(neverSignedIn.group('lab'))
      await sql`update sandbox set create_sent_at = create_sent_at - interval '30 minutes' where id = ${id}`.execute(
        env.db,
      )
      await env.advance(30)
      const reason =
        'Azure did not know the user within 30 minutes, so the portal has stopped trying. Delete the sandbox and create another.'
      expect(await sandboxOf(neverSignedIn)).toMatchObject({ status: 'Failing', statusReason: reason })
      const asked = await roleRequests()
      await env.advance(300, 60)
      expect(await roleRequests()).toBe(asked)
      const body = { resourceGroupName: neverSignedIn.group('lab') }
      expect((await neverSignedIn.call('DELETE', '/sandbox/azure', body)).status).toBe(200)
      await env.advance(600)
      expect(await groupExists(neverSignedIn.group('lab'))).toBe(false)
    },
  )
})
