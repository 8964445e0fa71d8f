import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/**
 * Removes the links of a user who becomes an admin to users at the organisation's provider. An admin of the organisation
 * could have made them, so the user confirms a new link from the mailbox.
 * @param issuer provider whose group made the user an admin. The link to it stays
 */
export async function forgetProviderIdentities(tx: Tx, user: UserId, issuer?: string): Promise<void> {
  await tx
    .deleteFrom('provider_identity')
    .where('user_id', '=', user)
    .$if(issuer !== undefined, (q) => q.where('issuer', '<>', issuer!))
    .execute()
}
