import type { ConfirmedLink } from '@trainyard/users/server/confirmed-change.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/**
 * Links a user to the user at the organisation's provider that the user has confirmed. Returns the sentence for the user;
 * null if the organisation no longer has the provider.
 * @throws Problem conflict
 */
export async function linkConfirmed(
  tx: Tx,
  { user, email, organisation, issuer, subject }: ConfirmedLink,
): Promise<string | null> {
  const provider = await tx
    .selectFrom('identity_provider')
    .select('issuer')
    .where('organisation_id', '=', organisation)
    .executeTakeFirst()
  if (provider?.issuer !== issuer) return null
  const linked = await tx
    .insertInto('provider_identity')
    .values({ organisation_id: organisation, issuer, subject, user_id: user })
    .onConflict((on) => on.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (linked === undefined) throw conflict(`${email} is already linked to a user at your organisation's provider.`)
  return "Your account is linked. Sign in again with your organisation's provider."
}
