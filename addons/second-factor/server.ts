import { appSecretContext } from './server/encryption-context.ts'
import { sql } from 'kysely'
import { answer, answerSql, on } from '@trainyard/platform/server/core/events.ts'
import { serverModule, runs } from '@trainyard/platform/server/core/module.ts'
import { deleteExpiredChallenges } from './server/challenge.ts'
import { secondFactorDuty } from '@trainyard/users/server/restricted.ts'
import { roleGiven, usersMoved } from '@trainyard/users/server/role.ts'
import { needsNextStep, nextStep, signsInBy, systemLinked } from '@trainyard/users/server/sign-in-ways.ts'
import { hasSecondFactor } from './server/factors.ts'
import { requireSecondStep } from './server/second-step.ts'
import { dutySql } from './server/duty.ts'
import { secondFactorHandlers } from './server/http.ts'
import { secondLoginHandlers } from './server/login-http.ts'
import { enqueueAccountNotice, factorNotice, sendFactorNotice } from './server/notice.ts'
import { loadPasskeys } from './server/passkey.ts'
import { passkeyHandlers } from './server/passkey-http.ts'
import { relyingPartyOf } from './server/relying-party.ts'
import { resetHandlers } from './server/reset-http.ts'

export default serverModule({
  name: 'second-factor',
  load: loadPasskeys,
  calls({ seal, jobs, publicUrl }) {
    const parts = { seal, jobs, relyingParty: relyingPartyOf(publicUrl) }
    return {
      session: secondLoginHandlers(parts),
      secondFactor: { ...secondFactorHandlers(parts), ...resetHandlers(parts) },
      passkey: passkeyHandlers(parts),
    }
  },
  jobs: [runs(factorNotice, sendFactorNotice)],
  answers: [answer(nextStep, requireSecondStep), answer(needsNextStep, hasSecondFactor)],
  sqlAnswers: [
    answerSql(secondFactorDuty, dutySql),
    answerSql(signsInBy, ({ user, way }) =>
      way === 'credential'
        ? sql<boolean>`exists (select from passkey p where p.user_id = ${sql.ref(`${user}.id`)})`
        : sql<boolean>`false`,
    ),
  ],
  listens: [
    on(systemLinked, async (tx, linked) => {
      for (const each of linked) await enqueueAccountNotice(tx, each)
    }),
    on(roleGiven, async (tx, given) => {
      // Two superadmins agree on a reset, so that a request of a former one does not count.
      const others = given.filter(({ role }) => role !== 'superadmin').map(({ user }) => user)
      if (others.length > 0) await tx.deleteFrom('second_factor_reset').where('asked_by', 'in', others).execute()
    }),
    on(usersMoved, async (tx, moved) => {
      const users = moved.filter(({ leavesOrganisation }) => leavesOrganisation).map(({ user }) => user)
      if (users.length > 0) await tx.deleteFrom('challenge').where('user_id', 'in', users).execute()
    }),
  ],
  tables: {
    sql: new URL('tables.sql', import.meta.url),
    sealed: [{ table: 'authenticator_app', column: 'secret', key: 'user_id', context: appSecretContext }],
    personal: {
      authenticator_app: { owner: { user: 'user_id' }, title: 'Authenticator app', erase: 'delete', secrets: 'secret' },
      challenge: {
        owner: { user: 'user_id' },
        title: 'Started sign-ins',
        erase: 'delete',
        secrets: 'token_hash password_digest bound_to',
        other: 'purpose',
      },
      passkey: {
        owner: { user: 'user_id' },
        title: 'Passkeys',
        erase: 'delete',
        mentions: 'name',
        secrets: 'public_key credential_id',
        other: 'transports',
      },
      recovery_code: { owner: { user: 'user_id' }, title: 'Recovery codes', erase: 'delete', secrets: 'code_hash' },
      second_factor_reset: { owner: { user: 'user_id' }, title: 'Resets of the second factor', erase: 'delete' },
    },
    expire: [deleteExpiredChallenges],
  },
})
