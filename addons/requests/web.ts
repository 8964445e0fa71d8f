import { homeWork } from '@trainyard/home/web/slots.ts'
import { fill, LAB_ROLES, webModule } from '@trainyard/platform/web/shell/module.ts'

export const requests = webModule({
  name: 'requests',
  screens: [
    {
      path: '/requests',
      title: 'Requests',
      tasks: ['Answer a request | approve decline'],
      for: LAB_ROLES,
      tab: [
        { of: '/overview', order: 20 },
        { of: '/notifications', order: 10 },
      ],
      load: () => import('./web/Requests.tsx'),
    },
  ],
  fills: [fill(homeWork, 10, () => import('./web/WaitingRequests.tsx'), { for: ['superadmin'] })],
})
