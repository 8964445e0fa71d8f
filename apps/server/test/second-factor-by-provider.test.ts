import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { secondFactors } from '@trainyard/second-factor/test/second-factor.ts'
import { setUpProvider } from '@trainyard/sso/test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '@trainyard/platform/test/portal.ts'

let portal: TestPortal
let at: Awaited<ReturnType<typeof secondFactors>>

beforeAll(async () => {
  portal = await startTestPortal(inject('testCluster'), { SECOND_FACTOR: 'required' })
  at = await secondFactors(portal)
})
afterAll(() => portal.close())

async function organisation(rule: 'optional' | 'required'): Promise<OrganisationId> {
  const { id } = await portal.owner
    .insertInto('organisation')
    .values({
      name: `School with ${rule} factor`,
      logo: null,
      second_factor: rule,
      second_factor_since: rule === 'required' ? sql<Date>`portal_now()` : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const me = async (uid: string): Promise<string | null> =>
  (await at.sendOk('GET', '/user/me', undefined, uid)).secondFactorDue?.at ?? null

test('requires no second factor of users who sign in through their organisation’s provider', async () => {
  const school = await organisation('required')
  const email = await at.person('admin', school)
  const uid = await portal.sessionOf(email)
  const set = (values: { passwords_allowed: boolean }) =>
    portal.owner.updateTable('organisation').set(values).where('id', '=', school).execute()
  await setUpProvider(portal.owner, portal, school, { domain: 'factor.test', worked: true })
  await set({ passwords_allowed: false })
  expect(await me(uid)).toBeNull()
  await set({ passwords_allowed: true })
  expect(await me(uid)).not.toBeNull()
  await portal.owner.updateTable('portal_user').set({ password_hash: null }).where('email', '=', email).execute()
  expect(await me(uid)).toBeNull()
})

test('requires a second factor of superadmins who use a password in an organisation without passwords', async () => {
  const school = await organisation('optional')
  await setUpProvider(portal.owner, portal, school, { domain: 'superior.test', worked: true })
  await portal.owner.updateTable('organisation').set({ passwords_allowed: false }).where('id', '=', school).execute()
  const email = await at.person('superadmin')
  await portal.owner.updateTable('portal_user').set({ organisation_id: school }).where('email', '=', email).execute()
  expect(await me(await portal.sessionOf(email))).not.toBeNull()
})
