import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateAddress } from '@trainyard/templates/web/slots.ts'

export const privateNetworks = webModule({
  name: 'private-networks',
  screens: [
    {
      path: '/admin/networks',
      title: 'Private Networks',
      tasks: ['Add a private network | gateway VNet'],
      for: ['superadmin'],
      tab: { of: '/overview', order: 10 },
      load: () => import('./web/Networks.tsx'),
    },
  ],
  fills: [fill(templateAddress, 10, () => import('./web/AddressField.tsx'))],
})
