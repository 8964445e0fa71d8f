import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { AssignableRole } from '@trainyard/platform/contract/words/role.ts'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, type Problem } from '@trainyard/platform/server/core/errors.ts'
import { claimUnusedUsers, refuseForeignDomains } from './domain-owner.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import { lockOrganisation, organisationByName } from '@trainyard/organisations/server/scope.ts'
import { adminsAdded, setRole } from './role.ts'

/**
 * Throws if the user certainly cannot be added, before a password is hashed. `addUser` checks again.
 * @throws Problem notFound, conflict
 */
export async function requireAddable(
  db: Db,
  { email, organization }: { readonly email: string; readonly organization: string },
): Promise<void> {
  const { id } = await organisationByName(db, organization)
  const existing = await db
    .selectFrom('portal_user')
    .select('id')
    .where('email', '=', email)
    .where('organisation_id', '=', id)
    .executeTakeFirst()
  if (existing !== undefined) throw existsAlready(email)
}

const existsAlready = (email: string): Problem => conflict(`There is already a user with the e-mail ${email}.`)

/**
 * Adds a user to an organisation. A user of another organisation who never signed in moves to this one if it has verified
 * the domain of the address.
 * @param passwordHash hash of a password chosen by the admin who adds the user, or null if the user chooses one
 */
export async function addUser(
  tx: Tx,
  input: { readonly email: string; readonly organization: string; readonly userType: AssignableRole },
  passwordHash: string | null,
): Promise<UserId> {
  const organisation = await organisationByName(tx, input.organization)
  await lockOrganisation(tx, organisation.id, 'use')
  await refuseForeignDomains(tx, organisation.id, [input.email])
  const [claimed] = await claimUnusedUsers(tx, organisation.id, { emails: [input.email] })
  const password = { password_hash: passwordHash, password_given: passwordHash !== null }
  const added =
    claimed === undefined
      ? await tx
          .insertInto('portal_user')
          .values({ email: input.email, organisation_id: organisation.id, role: input.userType, ...password })
          .onConflict((on) => on.doNothing())
          .returning('id')
          .executeTakeFirst()
      : await tx.updateTable('portal_user').set(password).where('id', '=', claimed).returning('id').executeTakeFirst()
  if (added === undefined) throw existsAlready(input.email)
  if (claimed !== undefined) await setRole(tx, claimed, input.userType)
  if (input.userType === 'admin') await emit(tx, adminsAdded, [organisation.id])
  return added.id
}
