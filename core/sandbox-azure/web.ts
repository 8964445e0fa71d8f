import IconCloud from '@tabler/icons-react/icons/IconCloud'
import IconUserCircle from '@tabler/icons-react/icons/IconUserCircle'
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
        icon: IconCloud,
      },
      load: () => import('./web/AzureSandbox.tsx'),
    },
    {
      path: '/sandbox/azure/users',
      title: 'Azure Lab Users',
      tasks: ['Add an Azure lab user | sandbox create'],
      for: ['superadmin'],
      menu: {
        group: 'Sandboxes',
        order: 30,
        icon: IconUserCircle,
      },
      load: () => import('./web/AzureUsers.tsx'),
    },
  ],
})
