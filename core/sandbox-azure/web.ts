import { webModule } from '@trainyard/platform/web/shell/module.ts'

export const sandboxAzure = webModule({
  name: 'sandbox-azure',
  screens: [
    {
      path: '/sandbox/azure',
      title: 'Azure Sandbox',
      for: ['sandboxuser'],
      menu: {
        group: 'Sandboxes',
        order: 10,
        icon: 'M6 15.5a3.5 3.5 0 0 1-.3-7A4.5 4.5 0 0 1 14.3 9a3.3 3.3 0 0 1 0 6.5Z',
      },
      load: () => import('./web/AzureSandbox.tsx'),
    },
    {
      path: '/sandbox/azure/users',
      title: 'Azure Lab Users',
      for: ['superadmin'],
      menu: {
        group: 'Sandboxes',
        order: 30,
        icon: 'M7.5 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM2.5 16c.3-3 2.3-4.5 5-4.5s4.7 1.5 5 4.5M13 4.5a2.4 2.4 0 0 1 0 4.4M14.5 11.8c1.8.5 2.8 1.9 3 4.2',
      },
      load: () => import('./web/AzureUsers.tsx'),
    },
  ],
})
