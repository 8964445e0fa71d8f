import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { signInSections } from '@trainyard/organisations/web/slots.ts'

export const sso = webModule({
  name: 'sso',
  screens: [{ path: '/sign-in', title: 'Sign In', for: 'anyone', load: () => import('./web/SignIn.tsx') }],
  fills: [fill(signInSections, 20, () => import('./web/SignInSettings.tsx'))],
})
