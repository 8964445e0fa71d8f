import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections } from './slots.ts'

export const users = webModule({
  name: 'users',
  fills: [fill(organisationSections, 110, () => import('./People.tsx'))],
})
