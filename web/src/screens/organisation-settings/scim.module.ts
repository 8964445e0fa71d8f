import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections } from './slots.ts'

export const scim = webModule({
  name: 'scim',
  fills: [fill(organisationSections, 100, () => import('./Provisioning.tsx'), { lazy: true })],
})
