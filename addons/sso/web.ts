import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const sso = webModule({
  name: 'sso',
  fills: [fill(organisationSections, 80, () => import('./web/SignInSettings.tsx'))],
})
