import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { isPasswordCorrect } from '@trainyard/users/server/passwords.ts'
import { DEMO_PASSWORD, ORGANISATIONS, USERS_WITHOUT_ORGANISATION } from './organisations.ts'
import { endSessionsOf } from '@trainyard/users/server/sessions.ts'

export async function closeDemoUsers(db: Db): Promise<string[]> {
  const emails = [
    ...USERS_WITHOUT_ORGANISATION.map(({ email }) => email),
    ...ORGANISATIONS.flatMap(({ admin, learners }) => [admin, ...learners]),
  ]
  // All demo users were created with the same hash. A user with another hash has changed the
  // password.
  const hashes = await db
    .selectFrom('portal_user')
    .select('password_hash')
    .distinct()
    .where('email', 'in', emails)
    .where('password_hash', 'is not', null)
    .execute()
  const closed: string[] = []
  for (const { password_hash } of hashes) {
    if (!(await isPasswordCorrect(DEMO_PASSWORD, password_hash))) continue
    await db.transaction().execute(async (tx) => {
      const users = await tx
        .updateTable('portal_user')
        .set({ password_hash: null, password_given: false })
        .where('password_hash', '=', password_hash)
        .returning(['id', 'email'])
        .execute()
      for (const { id } of users) await endSessionsOf(tx, id)
      closed.push(...users.map(({ email }) => email))
    })
  }
  if (closed.length === 0) return []
  return [
    `The demo accounts were closed because their password is published and the portal no longer uses only the emulator: ${closed.join(', ')}.`,
  ]
}
