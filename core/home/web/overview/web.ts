import { webModule } from '@trainyard/platform/web/shell/module.ts'
import { overviewLists } from './slots.ts'
import { templateAddress, templateImage } from '@trainyard/templates/web/slots.ts'

export const overview = webModule({
  name: 'overview',
  screens: [
    {
      path: '/overview',
      title: 'System Admin Panel',
      for: ['superadmin'],
      menu: {
        group: 'Start',
        order: 30,
        icon: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
      },
      load: () => import('./Overview.tsx'),
      slots: [overviewLists, templateImage, templateAddress],
    },
  ],
  commands: () => import('./palette.ts'),
})
