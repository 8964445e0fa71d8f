import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, test, afterEach } from 'vitest'
import type { OrganisationId } from '@trainyard/contract/words/ids.ts'
import { signInAtProvider } from '@trainyard/emulator/test/sign-in.ts'
import { startTestEmulator, type TestEmulator } from '#test/emulator.ts'
import { begin, finish, setUpProvider, signInAs } from '#test/identity-providers.ts'
import { startTestPortal, type TestPortal } from '#test/portal.ts'
import { removeProvider } from './settings.ts'

let emulator: TestEmulator
let portal: TestPortal
let initech: OrganisationId
beforeAll(async () => {
  emulator = await startTestEmulator()
})
afterAll(() => emulator.stop())
beforeEach(async () => {
  portal = await startTestPortal(inject('testCluster'), emulator.settings)
  initech = (
    await portal.owner.insertInto('organisation').values({ name: 'Initech', logo: null }).returning('id').executeTakeFirstOrThrow()
  ).id
  await setUpProvider(portal.owner, portal, initech, { domain: 'initech.test' })
})
afterEach(() => portal.close())
const LEARNER = 'learner@initech.test'
test('session after removal', async () => {
  const { body } = await signInAs(portal, LEARNER, 'initech-learner')
  await portal.owner.transaction().execute((tx) => removeProvider(tx, initech))
  expect((await portal.request('GET', '/user/me', { uid: body.uid })).status).toBe(401)
})
test('finish while removed', async () => {
  const { cookie, address } = await begin(portal, LEARNER)
  const search = (await signInAtProvider(address, 'initech-learner')).search.slice(1)
  const done = await portal.owner.transaction().execute(async (tx) => {
    await sql`select from organisation where id = ${initech} for update`.execute(tx)
    const pending = finish(portal, search, cookie)
    for (;;) {
      const { rows } = await sql`select from pg_locks where not granted`.execute(portal.owner)
      if (rows.length > 0) break
    }
    await removeProvider(tx, initech)
    return { pending }
  })
  expect((await done.pending).status).toBe(403)
})
