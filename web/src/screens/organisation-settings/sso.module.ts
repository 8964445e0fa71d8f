import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections } from './slots.ts'

export const sso = webModule({
  name: 'sso',
  fills: [fill(organisationSections, 80, () => import('./SignIn.tsx'))],
})
