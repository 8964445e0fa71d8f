import IconCloudComputing from '@tabler/icons-react/icons/IconCloudComputing'
import IconUserSquare from '@tabler/icons-react/icons/IconUserSquare'
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
        icon: IconCloudComputing,
      },
      load: () => import('./web/AwsSandbox.tsx'),
    },
    {
      path: '/sandbox/aws/users',
      title: 'AWS Lab Users',
      tasks: ['Add an AWS lab user | sandbox create'],
      for: ['superadmin'],
      menu: {
        group: 'Sandboxes',
        order: 40,
        icon: IconUserSquare,
      },
      load: () => import('./web/AwsUsers.tsx'),
    },
  ],
})
