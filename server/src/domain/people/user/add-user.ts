import type { UserId } from '@trainyard/contract/words/ids.ts'
import type { AssignableRole } from '@trainyard/contract/words/role.ts'
import type { Tx } from '../../../db/schema.ts'
import { conflict } from '../../../core/errors.ts'
import { lockOrganisation, organisationByName } from '../organisation/scope.ts'

/** @param passwordHash null if the user chooses the password */
export async function addUser(
  tx: Tx,
  input: { readonly email: string; readonly organization: string; readonly userType: AssignableRole },
  passwordHash: string | null,
): Promise<UserId> {
  const organisation = await organisationByName(tx, input.organization)
  await lockOrganisation(tx, organisation.id, 'use')
  const added = await tx
    .insertInto('portal_user')
    .values({
      email: input.email,
      role: input.userType,
      organisation_id: organisation.id,
      password_hash: passwordHash,
      password_given: passwordHash !== null,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added === undefined) throw conflict(`There is already a user with the e-mail ${input.email}.`)
  return added.id
}
