import { ADMINS, webModule } from '#src/shell/module.ts'

export const books = webModule({
  name: 'books',
  screens: [
    {
      path: '/ledger/statement',
      title: 'Statement',
      for: ADMINS,
      load: () => import('./Statement.tsx'),
    },
    {
      path: '/ledger/gst',
      title: 'GST Return',
      for: ['superadmin'],
      load: () => import('#src/screens/gst-return/GstReturn.tsx'),
    },
  ],
})
