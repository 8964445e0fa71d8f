import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'

/**
 * Throws unless a sign-in with the current settings has succeeded. Otherwise no user could sign in without passwords.
 * @throws Problem conflict
 */
export async function requireWorkingProvider(tx: Tx, id: OrganisationId): Promise<true> {
  const works = await tx
    .selectFrom('identity_provider')
    .select('organisation_id')
    .where('organisation_id', '=', id)
    .where('worked_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (works === undefined) {
    throw conflict('Set up and test sign-in through your own provider first. No user has signed in through it yet.')
  }
  const domain = await tx
    .selectFrom('organisation_domain')
    .select('domain')
    .where('organisation_id', '=', id)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (domain === undefined)
    throw conflict('Verify a domain first. Only users of a verified domain can sign in through the provider.')
  return true
}
