import type { Db } from '../server/db/schema.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { openSession } from '@trainyard/users/server/sessions.ts'

export async function sessionOf(db: Db, email: string): Promise<string> {
  const found = await findSignInUser(db, { email })
  if (found === undefined) throw new Error(`There is no account ${email}.`)
  return db.transaction().execute((tx) => openSession(tx, found.actor.id))
}
