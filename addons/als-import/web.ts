import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateAddress } from '@trainyard/templates/web/slots.ts'

export const alsImport = webModule({
  name: 'als-import',
  screens: [
    {
      path: '/admin/import',
      title: 'Move from Lab Services',
      for: ADMINS,
      menu: {
        group: 'Administration',
        order: 30,
        icon: 'M3.5 4.5h5v11h-5zM10.5 10h6m0 0-2.5-2.5M16.5 10 14 12.5M11.5 4.5h5M11.5 15.5h5',
      },
      load: () => import('./web/LabImport.tsx'),
      slots: [templateAddress],
    },
  ],
})
