import { sql } from 'kysely'
import type { PasskeyId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { PASSKEYS_PER_PERSON, SECOND_FACTOR } from '../contract/second-factor-words.ts'
import { conflict, notFound, Problem } from '@trainyard/platform/server/core/errors.ts'
import { type HandlersOf, prepared } from '@trainyard/platform/server/core/handler.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { endOtherSessions } from '@trainyard/users/server/sessions.ts'
import { browserBinding, reserveAnswer, createChallenge, useChallenge } from './challenge.ts'
import {
  factorsOf,
  createFirstRecoveryCodes,
  lockFactors,
  requireRemainingFactor,
  requireSignInMethod,
} from './factors.ts'
import type { SecondFactorDependencies } from './http.ts'
import { enqueueFactorNotice } from './notice.ts'
import { addPasskey, assertionOptions, registrationOptions, verifyNewPasskey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

export function passkeyHandlers({ relyingParty, jobs }: SecondFactorDependencies): HandlersOf<'passkey'> {
  const requireRelyingParty = (): RelyingParty => {
    if (relyingParty === null) throw conflict(SECOND_FACTOR.noPasskeys)
    return relyingParty
  }
  return {
    async beginLogin(tx, { header }) {
      const challenge = await createChallenge(tx, { purpose: 'passkey login' }, browserBinding(header('user-agent')))
      const options = await assertionOptions(tx, requireRelyingParty(), { user: null, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    async beginProof(tx, { actor, sessionHash }) {
      const challenge = await createChallenge(tx, { purpose: 'proof', user: actor.id }, sessionHash!)
      const options = await assertionOptions(tx, requireRelyingParty(), { user: actor.id, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    async begin(tx, { actor, sessionHash }) {
      const challenge = await createChallenge(tx, { purpose: 'new passkey', user: actor.id }, sessionHash!)
      const options = await registrationOptions(tx, requireRelyingParty(), {
        user: actor.id,
        email: actor.email,
        challenge,
      })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    add: prepared({
      async prepare(db, { actor, sessionHash, body }) {
        await requireRoom(db, actor.id)
        const reserved = await reserveAnswer(db, body.challenge, { purpose: 'new passkey', boundTo: sessionHash! })
        const credential =
          reserved?.user === actor.id && relyingParty !== null
            ? await verifyNewPasskey(relyingParty, body.challenge, body.attestation)
            : null
        if (credential === null) throw new Problem('malformed', 'attestation does not match this challenge.')
        return credential
      },
      async change(tx, { actor, sessionHash, body }, credential) {
        await lockFactors(tx, actor.id)
        if (!(await useChallenge(tx, body.challenge))) {
          throw new Problem('malformed', 'attestation does not match this challenge.')
        }
        await requireRoom(tx, actor.id)
        await addPasskey(tx, { user: actor.id, name: body.name, credential })
        await endOtherSessions(tx, actor.id, sessionHash)
        await enqueueFactorNotice(tx, jobs, actor.id, 'passkey added')
        return { message: 'The passkey was added.', recoveryCodes: await createFirstRecoveryCodes(tx, actor.id) }
      },
    }),

    async rename(tx, { actor, body }) {
      const taken = await tx
        .selectFrom('passkey')
        .select('id')
        .where('user_id', '=', actor.id)
        .where(sql`comparison_key(name)`, '=', sql`comparison_key(${body.name})`)
        .where('id', '<>', body._id as PasskeyId)
        .executeTakeFirst()
      if (taken !== undefined) throw conflict('You already have a passkey with this name.')
      const renamed = await tx
        .updateTable('passkey')
        .set({ name: body.name })
        .where('user_id', '=', actor.id)
        .where('id', '=', body._id as PasskeyId)
        .returning('id')
        .executeTakeFirst()
      if (renamed === undefined) throw notFound('passkey')
      return { message: `The passkey was renamed to ${body.name}.` }
    },

    async remove(tx, { actor, secondFactorDuty, body }) {
      await lockFactors(tx, actor.id)
      const removed = await tx
        .deleteFrom('passkey')
        .where('user_id', '=', actor.id)
        .where('id', '=', body._id as PasskeyId)
        .returning('name')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('passkey')
      await requireRemainingFactor(tx, actor.id, secondFactorDuty)
      await requireSignInMethod(tx, actor.id)
      await enqueueFactorNotice(tx, jobs, actor.id, 'passkey removed')
      return { message: `The passkey ${removed.name} was removed.` }
    },
  }
}

/** @throws Problem conflict */
async function requireRoom(db: Db, user: UserId): Promise<void> {
  if ((await factorsOf(db, user)).passkeys < PASSKEYS_PER_PERSON) return
  throw conflict(`You have ${PASSKEYS_PER_PERSON} passkeys. Remove one before you add another.`)
}
