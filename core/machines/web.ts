import IconDeviceDesktop from '@tabler/icons-react/icons/IconDeviceDesktop'
import IconHourglassHigh from '@tabler/icons-react/icons/IconHourglassHigh'
import IconSquarePlus from '@tabler/icons-react/icons/IconSquarePlus'
import { ADMINS, fill, LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateImage, templatePreview } from '@trainyard/templates/web/slots.ts'
import { learnerTools } from '@trainyard/trainings/web/slots.ts'
import { withinWindow } from '@trainyard/trainings/web/within-window.ts'

export const machines = webModule({
  name: 'machines',
  screens: [
    {
      path: '/vm/vmdetails',
      title: 'Virtual Lab Console',
      tasks: [
        'Power on or stop machines | start shut down power off restart reboot switch',
        'Open a machine | terminal desktop ssh rdp connect',
        'Delete a machine | remove terminate',
      ],
      for: LAB_ROLES,
      menu: {
        group: 'Instance Overview',
        order: 10,
        icon: IconDeviceDesktop,
      },
      tabs: { own: 'Machines' },
      load: () => import('./web/Console.tsx'),
      slots: [learnerTools],
      fetch: withinWindow((api, of) => api.machine.list(of)),
    },
    {
      path: '/createvm',
      title: 'Provision New Instance',
      tasks: ['Order machines | VMs new create buy instance clone'],
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
      tasks: ['Allot more hours | increase quota extend'],
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
  fills: [
    fill(templateImage, 10, () => import('./web/ImageChoice.tsx')),
    fill(templatePreview, 10, () => import('./web/TemplatePreview.tsx')),
  ],
})
