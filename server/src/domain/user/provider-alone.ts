import type { Db } from '../../db/schema.ts'
import type { Actor } from '../../core/actor.ts'
import { Problem } from '../../core/errors.ts'

/**
 * Refuses who proved to be somebody whose organisation lets its own provider alone say so. Superadmins belong to no
 * organisation, and always come in. It is asked after the password was found right: who guesses learns nothing.
 * @throws Problem forbidden
 */
export async function refuseWhereProviderAlone(db: Db, { organisation }: Actor): Promise<void> {
  if (organisation === null) return
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
