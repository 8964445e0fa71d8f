import { LAB_ROLES, fill, webModule } from '#src/shell/module.ts'
import { shellTools } from '#src/shell/slots.ts'

export const notifications = webModule({
  name: 'notifications',
  screens: [
    {
      path: '/notifications',
      title: 'Notifications',
      for: LAB_ROLES,
      load: () => import('./Notifications.tsx'),
    },
  ],
  fills: [fill(shellTools, 10, () => import('#src/shell/Bell.tsx'), { for: LAB_ROLES, lazy: true })],
})
