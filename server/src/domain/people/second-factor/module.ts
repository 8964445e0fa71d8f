import { answerSql } from '../../../core/events.ts'
import { serverModule, runs } from '../../../core/module.ts'
import { deleteExpiredChallenges } from './challenge.ts'
import { secondFactorDuty } from '../user/restricted.ts'
import { dutySql } from './duty.ts'
import { secondFactorHandlers } from './http.ts'
import { secondLoginHandlers } from './login-http.ts'
import { factorNotice, sendFactorNotice } from './notice.ts'
import { passkeyHandlers } from './passkey-http.ts'
import { relyingPartyOf } from './relying-party.ts'
import { resetHandlers } from './reset-http.ts'

export default serverModule({
  name: 'second-factor',
  calls({ seal, jobs, publicUrl }) {
    const parts = { seal, jobs, relyingParty: relyingPartyOf(publicUrl) }
    return {
      session: secondLoginHandlers(parts),
      secondFactor: { ...secondFactorHandlers(parts), ...resetHandlers(parts) },
      passkey: passkeyHandlers(parts),
    }
  },
  jobs: [runs(factorNotice, sendFactorNotice)],
  sqlAnswers: [answerSql(secondFactorDuty, dutySql)],
  tables: {
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
