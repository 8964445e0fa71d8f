import { sql } from 'kysely'
import type { UserId } from '@trainyard/platform/contract/words/ids.ts'
import { RESET_HOURS } from '../contract/second-factor-words.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import { findSignInUser } from '@trainyard/users/server/sign-in-user.ts'
import { isControlRelated, recordControl } from '@trainyard/users/server/controlled-users.ts'
import { factorsOf, hasFactor, hasSecondFactor } from './factors.ts'
import { openResets, resetFactors } from './reset.ts'

type ResetCalls = Pick<HandlersOf<'secondFactor'>, 'resets' | 'askReset' | 'confirmReset' | 'withdrawReset'>

/**
 * Handlers for resetting the second factors of a user who has lost them. Two independent superadmins are needed, and
 * neither may be that user.
 */
export function resetHandlers({ jobs }: { readonly jobs: JobQueue }): ResetCalls {
  return {
    async resets(db) {
      const rows = await openResets(db)
        .innerJoin('portal_user as person', 'person.id', 'second_factor_reset.user_id')
        .innerJoin('portal_user as asker', 'asker.id', 'second_factor_reset.asked_by')
        .select(['person.email', 'asker.email as asker', 'asked_at', 'expires_at'])
        .orderBy('asked_at')
        .execute()
      return {
        resets: rows.map(({ email, asker, asked_at, expires_at }) => ({
          email,
          askedBy: asker,
          askedAt: asked_at.toISOString(),
          until: expires_at.toISOString(),
        })),
      }
    },

    async askReset(tx, { actor, body: { email } }) {
      const { id } = await requireUser(tx, email)
      if (id === actor.id) throw conflict('You cannot reset your own second factor. Ask another superadmin.')
      if (!hasFactor(await factorsOf(tx, id))) throw conflict(`${email} has no second factor.`)
      const until = sql<Date>`portal_now() + make_interval(hours => ${RESET_HOURS})`
      const created = await tx
        .insertInto('second_factor_reset')
        .values({ user_id: id, asked_by: actor.id, expires_at: until })
        .onConflict((on) =>
          on
            .column('user_id')
            .doUpdateSet({ asked_by: actor.id, asked_at: sql<Date>`portal_now()`, expires_at: until })
            .where('second_factor_reset.expires_at', '<=', sql<Date>`portal_now()`),
        )
        .returning('user_id')
        .executeTakeFirst()
      if (created === undefined) throw conflict(`A reset for ${email} is already waiting for another superadmin.`)
      return { message: `Another superadmin must confirm the reset for ${email} within ${RESET_HOURS} hours.` }
    },

    async confirmReset(tx, { actor, body: { email } }) {
      const { id } = await requireUser(tx, email)
      if (id === actor.id) throw conflict('You cannot reset your own second factor. Ask another superadmin.')
      const open = await openResets(tx).select('asked_by').where('user_id', '=', id).forUpdate().executeTakeFirst()
      if (open === undefined) throw notFound('reset')
      if (open.asked_by === actor.id) throw conflict('You requested this reset. Another superadmin must confirm it.')
      await requireIndependentConfirmer(tx, actor.id, open.asked_by)
      await resetFactors(tx, jobs, id)
      for (const by of [open.asked_by, actor.id]) await recordControl(tx, id, by, 'reset')
      return { message: `The second factors of ${email} were removed and their sessions ended.` }
    },

    async withdrawReset(tx, { body: { email } }) {
      const { id } = await requireUser(tx, email)
      const withdrawn = await tx
        .deleteFrom('second_factor_reset')
        .where('user_id', '=', id)
        .where('expires_at', '>', sql<Date>`portal_now()`)
        .returning('user_id')
        .executeTakeFirst()
      if (withdrawn === undefined) throw notFound('reset')
      return { message: `The reset for ${email} was cancelled.` }
    },
  }
}

/**
 * Throws if the confirmer may be the same person as the requester. This is possible if one user could control the
 * other, the confirmer became a superadmin after the reset could have been planned, or their password alone
 * suffices to sign in.
 * @throws Problem conflict
 */
async function requireIndependentConfirmer(tx: Tx, confirmer: UserId, requester: UserId): Promise<void> {
  if (!(await hasSecondFactor(tx, confirmer))) {
    throw conflict('Set up a second factor of your own in Account Security before you confirm a reset.')
  }
  const settled = await tx
    .selectFrom('portal_user')
    .select('id')
    .where('id', '=', confirmer)
    .where('role_since', '<=', sql<Date>`portal_now() - make_interval(hours => ${RESET_HOURS})`)
    .executeTakeFirst()
  if (settled === undefined) {
    throw conflict(`You have been a superadmin for less than ${RESET_HOURS} hours. Another superadmin must confirm it.`)
  }
  if (await isControlRelated(tx, confirmer, requester)) {
    throw conflict(
      'You are not independent of the requester: one of you created or promoted the other or reset their second factors, or the same superadmin created or promoted both. Another superadmin must confirm it, or the operator resets the factors on the server.',
    )
  }
}

async function requireUser(tx: Tx, email: string) {
  const found = await findSignInUser(tx, { email })
  if (found === undefined) throw notFound('user')
  return found.actor
}
