import type { PasskeyId } from '@trainyard/contract/words/ids.ts'
import { PASSKEYS_PER_PERSON, SECOND_FACTOR } from '@trainyard/contract/words/second-factor.ts'
import { conflict, notFound, Problem } from '../../../core/errors.ts'
import { type HandlersOf, prepared } from '../../../core/handler.ts'
import { endOtherSessions } from '../user/sessions.ts'
import { browserBound, hearAnswer, openChallenge, useChallenge } from './challenge.ts'
import { mustBeConfirmed } from './confirmed.ts'
import { factorsOf, firstRecoveryCodes, holdFactors, keepNeededFactor } from './factors.ts'
import type { SecondFactorParts } from './http.ts'
import { tellOwner } from './notice.ts'
import { optionsForAnswer, optionsForNew, readNewPasskey } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

export function passkeyHandlers({ relyingParty, jobs }: SecondFactorParts): HandlersOf<'passkey'> {
  const here = (): RelyingParty => {
    if (relyingParty === null) throw conflict(SECOND_FACTOR.noPasskeys)
    return relyingParty
  }
  return {
    async beginLogin(tx, { header }) {
      const challenge = await openChallenge(tx, { purpose: 'passkey login' }, browserBound(header('user-agent')))
      const options = await optionsForAnswer(tx, here(), { user: null, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    async beginProof(tx, { actor, sessionHash }) {
      const challenge = await openChallenge(tx, { purpose: 'proof', user: actor.id }, sessionHash!)
      const options = await optionsForAnswer(tx, here(), { user: actor.id, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    async begin(tx, { actor, sessionHash }) {
      await mustBeConfirmed(tx, sessionHash)
      const challenge = await openChallenge(tx, { purpose: 'new passkey', user: actor.id }, sessionHash!)
      const options = await optionsForNew(tx, here(), { user: actor.id, email: actor.email, challenge })
      return { challenge: challenge.toString('base64url'), options: { ...options } }
    },

    add: prepared({
      async prepare(db, { actor, sessionHash, body }) {
        const heard = await hearAnswer(db, body.challenge, { purpose: 'new passkey', boundTo: sessionHash! })
        const made =
          heard?.user === actor.id && relyingParty !== null
            ? await readNewPasskey(relyingParty, body.challenge, body.attestation)
            : null
        if (made === null) throw new Problem('malformed', 'attestation is no answer to this challenge.')
        return made
      },
      async change(tx, { actor, sessionHash, body }, made) {
        await mustBeConfirmed(tx, sessionHash)
        await holdFactors(tx, actor.id)
        if (!(await useChallenge(tx, body.challenge))) {
          throw new Problem('malformed', 'attestation is no answer to this challenge.')
        }
        if ((await factorsOf(tx, actor.id)).passkeys >= PASSKEYS_PER_PERSON) {
          throw conflict(`You have ${PASSKEYS_PER_PERSON} passkeys. Remove one before you add another.`)
        }
        const added = await tx
          .insertInto('passkey')
          .values({
            user_id: actor.id,
            credential_id: made.id,
            name: body.name,
            public_key: Buffer.from(made.publicKey),
            uses: made.counter,
            transports: made.transports ?? [],
          })
          .onConflict((on) => on.doNothing())
          .returning('id')
          .executeTakeFirst()
        if (added === undefined) throw conflict('You have a passkey of this name, or this very passkey, already.')
        await endOtherSessions(tx, actor.id, sessionHash)
        await tellOwner(tx, jobs, actor.id, 'passkey added')
        return { message: 'The passkey is added.', recoveryCodes: await firstRecoveryCodes(tx, actor.id) }
      },
    }),

    async rename(tx, { actor, body }) {
      const taken = await tx
        .selectFrom('passkey')
        .select('id')
        .where('user_id', '=', actor.id)
        .where((eb) => eb(eb.fn('lower', ['name']), '=', body.name.toLowerCase()))
        .where('id', '<>', body._id as PasskeyId)
        .executeTakeFirst()
      if (taken !== undefined) throw conflict('You have a passkey of this name already.')
      const renamed = await tx
        .updateTable('passkey')
        .set({ name: body.name })
        .where('user_id', '=', actor.id)
        .where('id', '=', body._id as PasskeyId)
        .returning('id')
        .executeTakeFirst()
      if (renamed === undefined) throw notFound('passkey')
      return { message: `The passkey is named ${body.name}.` }
    },

    async remove(tx, { actor, sessionHash, secondFactorDuty, body }) {
      await mustBeConfirmed(tx, sessionHash)
      await holdFactors(tx, actor.id)
      const removed = await tx
        .deleteFrom('passkey')
        .where('user_id', '=', actor.id)
        .where('id', '=', body._id as PasskeyId)
        .returning('name')
        .executeTakeFirst()
      if (removed === undefined) throw notFound('passkey')
      await keepNeededFactor(tx, actor.id, secondFactorDuty)
      await tellOwner(tx, jobs, actor.id, 'passkey removed')
      return { message: `The passkey ${removed.name} is removed.` }
    },
  }
}
