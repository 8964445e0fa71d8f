import { serverModule } from '../../../core/module.ts'
import { registrationHandlers, registrationLinkHandlers } from './http.ts'
import { relyingPartyOf } from '../../people/second-factor/relying-party.ts'

export default serverModule({
  name: 'registration',
  requires: ['second-factor'],
  calls: (parts) => ({
    registration: registrationHandlers({ ...parts, relyingParty: relyingPartyOf(parts.publicUrl) }),
    registrationLink: registrationLinkHandlers(parts),
  }),
})
