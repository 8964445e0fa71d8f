import { ADMINS, fill, LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateImage } from '@trainyard/templates/web/slots.ts'
import { learnerTools } from '@trainyard/trainings/web/slots.ts'

export const machines = webModule({
  name: 'machines',
  screens: [
    {
      path: '/vm/vmdetails',
      title: 'Virtual Lab Console',
      for: LAB_ROLES,
      menu: {
        group: 'Instance Overview',
        order: 10,
        icon: 'M3 4h14v9H3zM7 16.5h6M10 13v3.5',
      },
      load: () => import('./web/Console.tsx'),
      slots: [learnerTools],
      fetch: (api, of) => api.machine.list(of),
    },
    {
      path: '/createvm',
      title: 'Provision New Instance',
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 110,
        icon: 'M3.5 3.5h13v13h-13zM10 7v6M7 10h6',
      },
      context: 'organisation',
      load: () => import('./web/CreateVm.tsx'),
    },
    {
      path: '/vm/quota',
      title: 'Quota Assignment',
      for: ['superadmin'],
      menu: {
        group: 'Instance Overview',
        order: 120,
        icon: 'M6 3h8v2.5L11 10l3 4.5V17H6v-2.5L9 10 6 5.5Z',
      },
      load: () => import('./web/Quota.tsx'),
      fetch: (api, of) => api.quota.read(of),
    },
  ],
  fills: [fill(templateImage, 10, () => import('./web/ImageChoice.tsx'))],
  commands: () => import('./web/palette.ts'),
})
