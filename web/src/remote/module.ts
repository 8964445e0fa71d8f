import { fill, webModule } from '#src/shell/module.ts'
import { dashboardSections } from '#src/screens/home/slots.ts'

export const remoteAccess = webModule({
  name: 'remote-access',
  fills: [fill(dashboardSections, 10, () => import('#src/screens/dashboard/Openings.tsx'))],
})
