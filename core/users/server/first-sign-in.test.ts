import { expect, test } from 'vitest'
import { sharedPortal } from '@trainyard/platform/test/shared.ts'
import { hashPassword } from './passwords.ts'

const portal = await sharedPortal()

test('the first sign-in is recorded once', async () => {
  const email = 'first@portal.test'
  const password = 'a long enough pass phrase'
  const password_hash = await hashPassword(password)
  await portal.owner
    .insertInto('portal_user')
    .values({ email, role: 'superadmin', organisation_id: null, password_hash })
    .execute()
  const signedInAt = async () =>
    (
      await portal.owner
        .selectFrom('portal_user')
        .select('signed_in_at')
        .where('email', '=', email)
        .executeTakeFirstOrThrow()
    ).signed_in_at
  expect(await signedInAt()).toBeNull()
  const logIn = () => portal.request('POST', '/user/login', { body: { email, password } })
  expect((await logIn()).status).toBe(200)
  const first = await signedInAt()
  expect(first).not.toBeNull()
  expect((await logIn()).status).toBe(200)
  expect(await signedInAt()).toEqual(first)
})
