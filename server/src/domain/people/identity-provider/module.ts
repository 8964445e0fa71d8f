import { serverModule } from '../../../core/module.ts'
import { identityProviderHandlers } from './http.ts'
import { providerSignInHandlers } from './sign-in-http.ts'

export default serverModule({
  name: 'sso',
  calls: (parts) => ({
    identityProvider: identityProviderHandlers(parts),
    providerSignIn: providerSignInHandlers(parts),
  }),
})
