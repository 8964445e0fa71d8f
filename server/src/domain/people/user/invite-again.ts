import { sql } from 'kysely'
import type { Role } from '@trainyard/contract/words/role.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import type { JobQueue } from '../../../jobs/jobs.ts'
import { NEWEST_INVITATION } from './bounce.ts'
import { cannotBeAdded, refuseForeignDomains } from './domain-owner.ts'
import { revokeLinks } from './invitation.ts'
import { inviteUser } from './invite.ts'
import { moveMachines } from './move-machines.ts'
import type { Person } from './people.ts'

/**
 * Sends a new invitation and invalidates earlier ones. A different address replaces the address of the account and of
 * its machines. Only a superadmin corrects the address of an admin, because the address decides who becomes an admin.
 * @throws Problem conflict if the user has a password, or if the address cannot be corrected
 */
export async function inviteAgain(
  tx: Tx,
  jobs: JobQueue,
  { id, email }: Person,
  { newEmail, by }: { readonly newEmail: string; readonly by: Role },
): Promise<void> {
  const { rows } = await sql<{ hasPassword: boolean; correctable: boolean }>`
    select password_hash is not null as "hasPassword",
      (role = 'user' or (role = 'admin' and ${by === 'superadmin'})) and signed_in_at is null
        and not exists (select from provider_identity p where p.user_id = u.id)
        and exists (select from ${NEWEST_INVITATION} as newest where bounced_at is not null) as correctable
    from portal_user u where id = ${id} for no key update`.execute(tx)
  const account = rows[0]!
  if (account.hasPassword) throw conflict(`${email} already has a password.`)
  if (newEmail !== email) {
    if (!account.correctable)
      throw conflict(`The address of ${email} cannot be changed: only one whose invitation was rejected can.`)
    await correctAddress(tx, email, newEmail)
  }
  await revokeLinks(tx, id)
  await inviteUser(tx, jobs, id)
}

async function correctAddress(tx: Tx, email: string, newEmail: string): Promise<void> {
  const { organisation_id } = await tx
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  if (organisation_id === null) throw cannotBeAdded(newEmail)
  await refuseForeignDomains(tx, organisation_id, [newEmail])
  const taken = await tx
    .selectFrom('portal_user')
    .select('organisation_id')
    .where('email', '=', newEmail)
    .executeTakeFirst()
  if (taken !== undefined && taken.organisation_id !== organisation_id) throw cannotBeAdded(newEmail)
  if (taken !== undefined)
    throw conflict(`${newEmail} already has an account. Hand the machines of ${email} over to it instead.`)
  await tx
    .updateTable('portal_user')
    .set({ email: newEmail })
    .where('email', '=', email)
    .execute()
    .catch((error: { code?: string }) => {
      // A concurrent call took the address.
      if (error.code === '23505') throw cannotBeAdded(newEmail)
      throw error
    })
  // The machines keep their passwords, because no learner has signed in with the old address and seen the passwords.
  await moveMachines(tx, organisation_id, email, newEmail)
}
