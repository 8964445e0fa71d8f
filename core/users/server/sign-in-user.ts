import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'

export interface SignInUser {
  readonly actor: Actor
  readonly passwordHash: string | null
  /** True if the user can sign in with a password, as superadmins always can. */
  readonly passwordsAllowed: boolean
}

export async function findSignInUser(
  db: Db,
  by: { readonly email: string } | { readonly id: Actor['id'] },
): Promise<SignInUser | undefined> {
  const row = await db
    .selectFrom('portal_user')
    .leftJoin('organisation', 'organisation.id', 'portal_user.organisation_id')
    .select([
      'portal_user.id',
      'portal_user.email',
      'portal_user.role',
      'portal_user.password_hash',
      'organisation.id as organisation_id',
      'organisation.name',
      'organisation.time_zone',
      'organisation.logo',
      'organisation.passwords_allowed',
    ])
    .$if('email' in by, (q) => q.where('portal_user.email', '=', (by as { email: string }).email))
    .$if('id' in by, (q) => q.where('portal_user.id', '=', (by as { id: Actor['id'] }).id))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, email, role } = row
  const organisation =
    row.organisation_id === null
      ? null
      : { id: row.organisation_id, name: row.name!, timeZone: row.time_zone!, logo: row.logo }
  return {
    actor: { id, email, role, organisation },
    passwordHash: row.password_hash,
    passwordsAllowed: role === 'superadmin' || (row.passwords_allowed ?? true),
  }
}
