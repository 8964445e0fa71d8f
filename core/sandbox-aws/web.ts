import { webModule } from '@trainyard/platform/web/shell/module.ts'

export const sandboxAws = webModule({
  name: 'sandbox-aws',
  screens: [
    {
      path: '/sandbox/aws',
      title: 'AWS Sandbox',
      for: ['awssandboxuser'],
      menu: {
        group: 'Sandboxes',
        order: 20,
        icon: 'M10 3l6.5 3.5v7L10 17l-6.5-3.5v-7ZM3.5 6.5 10 10l6.5-3.5M10 10v7',
      },
      load: () => import('./web/AwsSandbox.tsx'),
    },
    {
      path: '/sandbox/aws/users',
      title: 'AWS Lab Users',
      for: ['superadmin'],
      menu: {
        group: 'Sandboxes',
        order: 40,
        icon: 'M4 3.5h12v13H4zM10 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM6.8 14c.3-1.6 1.5-2.4 3.2-2.4s2.9.8 3.2 2.4',
      },
      load: () => import('./web/AwsUsers.tsx'),
    },
  ],
})
