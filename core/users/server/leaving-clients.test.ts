import { expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { hashPassword } from './passwords.ts'

const portal = await sharedPortal()
const PASSWORD = 'a good long password'
const CLIENTS = 200
await portal.app.db
  .insertInto('portal_user')
  .values({
    email: 'owner@portal.test',
    role: 'superadmin',
    organisation_id: null,
    password_hash: await hashPassword(PASSWORD),
  })
  .execute()

const signIn = (email: string, signal?: AbortSignal) =>
  portal.request('POST', '/user/login', { body: { email, password: PASSWORD }, ...(signal && { signal }) })

/** Number of verified passwords. Each verification has consumed an attempt of its user. */
const attempts = async () => {
  const { count } = await portal.owner
    .selectFrom('login_lane')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('does not verify the password of a disconnected client, so that it delays no other client', async () => {
  const disconnect = new AbortController()
  const remaining = Array.from({ length: CLIENTS }, (_, i) => signIn(`unknown${i}@portal.test`, disconnect.signal))
  const results = Promise.allSettled(remaining)
  await expect.poll(attempts, { interval: 5 }).toBeGreaterThan(0)
  disconnect.abort()
  await results
  expect((await signIn('owner@portal.test')).status).toBe(200)
  expect(await attempts()).toBeLessThan(CLIENTS / 2)
})
