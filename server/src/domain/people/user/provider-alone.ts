import type { Db } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { Problem } from '../../../core/errors.ts'

/**
 * Refuses who proved to be somebody whose organisation lets its own provider alone say so. Superadmins always come in,
 * also those who belong to an organisation: no provider speaks for them. It is asked after the password was found right: who guesses learns nothing.
 * @throws Problem forbidden
 */
export async function refuseWhereProviderAlone(db: Db, { organisation, role }: Actor): Promise<void> {
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
