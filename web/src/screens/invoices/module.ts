import { ADMINS, fill, webModule } from '#src/shell/module.ts'
import { accountSections } from '#src/screens/ledger/slots.ts'
import { invoicesActions, invoicesSections } from './slots.ts'
import { organisationSections } from '#src/screens/organisation-settings/slots.ts'

export const invoices = webModule({
  name: 'invoices',
  screens: [
    {
      path: '/ledger/invoices',
      title: 'Invoices',
      for: ['superadmin'],
      menu: {
        group: 'Ledger',
        order: 30,
        icon: 'M5.5 3H12l3 3v11H5.5ZM12 3v3h3M8 9.5h4.5M8 12.5h4.5',
      },
      load: () => import('./Invoices.tsx'),
      slots: [invoicesActions, invoicesSections],
    },
    {
      path: '/ledger/invoice',
      title: 'Invoice',
      for: ADMINS,
      load: () => import('#src/screens/invoice/Invoice.tsx'),
    },
    {
      path: '/admin/supplier',
      title: 'Supplier Settings',
      for: ['superadmin'],
      menu: {
        group: 'Administration',
        order: 40,
        icon: 'M3.5 8.5 5 4h10l1.5 4.5M4.5 8.5V16h11V8.5M3.5 8.5h13M8 16v-4h4v4',
      },
      load: () => import('#src/screens/supplier/Supplier.tsx'),
    },
  ],
  fills: [
    fill(accountSections, 30, () => import('#src/screens/account/Invoices.tsx')),

    fill(organisationSections, 20, () => import('#src/screens/organisation-settings/Billing.tsx')),
    fill(organisationSections, 30, () => import('#src/screens/organisation-settings/TaxStatus.tsx')),
  ],
})
