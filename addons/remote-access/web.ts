import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { dashboardSections } from '@trainyard/home/web/slots.ts'

export const remoteAccess = webModule({
  name: 'remote-access',
  fills: [fill(dashboardSections, 10, () => import('./web/Openings.tsx'))],
})
