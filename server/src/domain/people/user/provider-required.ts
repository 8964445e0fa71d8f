import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { Problem } from '../../../core/errors.ts'

/**
 * Throws if the user must sign in through the organisation's provider. Call after the password was verified, so that a
 * guesser learns nothing.
 * @throws Problem forbidden
 */
export async function refuseIfProviderRequired(db: Db, { organisation, role }: Actor): Promise<void> {
  if (organisation === null || role === 'superadmin') return
  const { passwords_allowed: allowed } = await db
    .selectFrom('organisation')
    .select('passwords_allowed')
    .where('id', '=', organisation.id)
    .executeTakeFirstOrThrow()
  if (allowed) return
  throw new Problem(
    'forbidden',
    'Your organisation signs in through its own provider. Please choose Sign in with your organisation.',
  )
}
