import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'
import { templateAddress } from '@trainyard/templates/web/slots.ts'

export const alsImport = webModule({
  name: 'als-import',
  screens: [
    {
      path: '/admin/import',
      title: 'Move from Lab Services',
      tasks: ['Move from Azure Lab Services | import migrate labs'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 80 },
      load: () => import('./web/LabImport.tsx'),
      slots: [templateAddress],
    },
  ],
})
