import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop'
import IconHourglassHigh from '@tabler/icons-react/icons/IconHourglassHigh'
import IconSquarePlus from '@tabler/icons-react/icons/IconSquarePlus'
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
        icon: IconDeviceDesktop,
      },
      tabs: { own: 'Machines' },
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
        icon: IconSquarePlus,
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
        icon: IconHourglassHigh,
      },
      load: () => import('./web/Quota.tsx'),
      fetch: (api, of) => api.quota.read(of),
    },
  ],
  fills: [fill(templateImage, 10, () => import('./web/ImageChoice.tsx'))],
  commands: () => import('./web/palette.ts'),
})
