import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const scim = webModule({
  name: 'scim',
  fills: [fill(organisationSections, 100, () => import('./web/Provisioning.tsx'), { lazy: true })],
})
