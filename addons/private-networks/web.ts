import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateAddress } from '@trainyard/templates/web/slots.ts'

export const privateNetworks = webModule({
  name: 'private-networks',
  screens: [
    {
      path: '/admin/networks',
      title: 'Private Networks',
      for: ['superadmin'],
      menu: {
        group: 'Administration',
        order: 80,
        icon: 'M7.5 3h5v4h-5ZM3 13h5v4H3ZM12 13h5v4h-5ZM10 7v3M5.5 13v-3h9v3',
      },
      load: () => import('./web/Networks.tsx'),
    },
  ],
  fills: [fill(templateAddress, 10, () => import('./web/AddressField.tsx'))],
})
