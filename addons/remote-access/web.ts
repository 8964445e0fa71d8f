import { dashboardSections } from '@trainyard/home/web/slots.ts'
import { webAccess } from '@trainyard/machines/web/slots.ts'
import { fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'

export const remoteAccess = webModule({
  name: 'remote-access',
  fills: [fill(dashboardSections, 10, () => import('./web/Openings.tsx'))],
  provides: [
    provide(webAccess, {
      open: (api, machine) => api.remote.ticket({ vmName: machine }),
      watch: (api, machine) => api.remote.watch({ vmName: machine }),
    }),
  ],
  commands: () => import('./web/palette.ts'),
})
