import { LAB_ROLES, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { shellTools } from '@trainyard/platform/web/shell/slots.ts'

export const notifications = webModule({
  name: 'notifications',
  screens: [
    {
      path: '/notifications',
      title: 'Notifications',
      tasks: ['Choose notifications | mail mute'],
      for: LAB_ROLES,
      tabs: { own: 'Notifications' },
      load: () => import('./web/Notifications.tsx'),
    },
  ],
  fills: [fill(shellTools, 10, () => import('./web/Bell.tsx'), { for: LAB_ROLES, lazy: true })],
})
