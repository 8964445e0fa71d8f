import { normaliseEmail, isEmail } from '@trainyard/platform/contract/words/email.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { CommandError } from '@trainyard/platform/server/core/errors.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { invitationLink } from './invitation-link.ts'
import { addInvitation } from './invite-users.ts'

/**
 * Creates a superadmin, or finds the existing one, and returns a single-use link to set the password, valid for seven
 * days.
 * @throws CommandError
 */
export async function createSuperadmin(
  db: Db,
  seal: Seal,
  options: { readonly email: string; readonly publicUrl: string },
): Promise<string> {
  const email = normaliseEmail(options.email)
  if (!isEmail(email)) throw new CommandError(`${options.email} is not an e-mail address such as name@example.com.`)
  return db.transaction().execute(async (tx) => {
    await tx
      .insertInto('portal_user')
      .values({ email, role: 'superadmin', organisation_id: null, password_hash: null })
      .onConflict((on) => on.doNothing())
      .execute()
    const { id, role } = await tx
      .selectFrom('portal_user')
      .select(['id', 'role'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    if (role !== 'superadmin') throw new CommandError(`${email} already has an account that is not a superadmin's.`)
    const invitation = await addInvitation(tx, id)
    await writeAudit(tx, { call: 'operator.superadmin', requestId: 'operator', actor: null, request: { email } })
    return invitationLink(options.publicUrl, seal, invitation)
  })
}
