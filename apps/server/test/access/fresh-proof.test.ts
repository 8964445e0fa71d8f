import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, methodOf, pathOf } from '@trainyard/platform/contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'
import { PEOPLE } from '@trainyard/platform/test/world.ts'
import { createSubjects, type Subject } from '../world.ts'
import { sampleOf } from './test-rows.ts'

const calls = Object.entries(contract).flatMap(([module, ofModule]) =>
  Object.entries(ofModule as Record<string, Call>)
    .filter(([, { proof }]) => proof === 'fresh')
    .map(([name, call]) => ({
      title: `${module}.${name}`,
      call,
      sample: sampleOf(module, name),
    })),
)

test('the calls that change how users sign in require a confirmed identity', () => {
  expect(calls.map(({ title }) => title).toSorted()).toEqual([
    'apiKey.create',
    'classroom.addInstructor',
    'classroom.invite',
    'identityProvider.addDomain',
    'identityProvider.confirmDomain',
    'identityProvider.remove',
    'identityProvider.removeDomain',
    'identityProvider.save',
    'identityProvider.verifyDomain',
    'lms.create',
    'lms.decideDeployment',
    'lms.remove',
    'lms.renewLink',
    'lms.save',
    'lms.suspend',
    'network.change',
    'network.create',
    'network.issueToken',
    'network.remove',
    'network.revoke',
    'organisation.changeSecurity',
    'organisation.remove',
    'passkey.add',
    'passkey.begin',
    'passkey.remove',
    'people.change',
    'people.invite',
    'privacy.erase',
    'sandboxUser.issueAccessPass',
    'sandboxUser.showAccessPass',
    'scim.createToken',
    'scim.mapGroup',
    'secondFactor.addApp',
    'secondFactor.askReset',
    'secondFactor.beginApp',
    'secondFactor.confirmReset',
    'secondFactor.removeApp',
    'secondFactor.renewRecoveryCodes',
    'secondFactor.withdrawReset',
    'setUp.tryConnections',
    'setUp.tryMail',
    'user.create',
    'user.invite',
    'user.remove',
    'user.resendInvitation',
    'user.revokeInvitation',
  ])
  for (const { call } of calls) expect([call.for === 'anyone', methodOf(call) === 'GET']).toEqual([false, false])
})

let portal: TestPortal
let own: Subject
beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'))
  ;({ own } = await createSubjects(portal))
})
afterAll(() => portal.close())

/** Opens a session of a user who confirmed the identity at the given time. The time applies to all sessions. */
async function sessionConfirmed(at: unknown, email: string): Promise<string> {
  const uid = await portal.sessionOf(email)
  await sql`update session set confirmed_at = ${at}`.execute(portal.owner)
  return uid
}

describe.each(calls)('$title', { tags: ['full'] }, ({ call, sample }) => {
  const may = ROLES.filter((role) => !Array.isArray(call.for) || call.for.includes(role))

  test.each(may)('refuses %s without a recent confirmation, and changes nothing', async (role) => {
    const requests = sample.request(own, role)
    const changes = async () =>
      (await portal.owner.selectFrom('audit').select('id').where('refused', 'is', null).execute()).length
    const before = await changes()
    for (const at of [null, sql`portal_now() - interval '6 minutes'`]) {
      const uid = await sessionConfirmed(at, PEOPLE[role])
      for (const request of requests) {
        const reply = await portal.request(methodOf(call), pathOf(call), { ...request, uid })
        const body = (await reply.json()) as { code: string; message: string }
        expect([reply.status, body.code, body.message]).toEqual([403, 'confirmFirst', 'Please confirm that it is you.'])
      }
    }
    expect(await changes()).toBe(before)
  })
})

test('a fresh sign-in counts as a confirmation', async () => {
  const uid = await portal.sessionOf(PEOPLE.superadmin)
  const body = {
    email: 'fresh@own.test',
    password: 'a good long one',
    organization: own.organization,
    userType: 'user',
  }
  const create = () => portal.request('POST', '/admin/users', { uid, body })
  expect((await create()).status).toBe(200)
  await sql`update session set confirmed_at = portal_now() - interval '6 minutes'`.execute(portal.owner)
  expect((await create()).status).toBe(403)
})
