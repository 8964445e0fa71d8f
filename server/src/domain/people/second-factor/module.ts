import { serverModule, runs } from '../../../core/module.ts'
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
})
