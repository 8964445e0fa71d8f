import { ADMINS, fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountSections, coveredUsage, recordsTax } from '@trainyard/ledger/web/slots.ts'
import { invoicesActions, invoicesSections } from './web/slots.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const invoices = webModule({
  name: 'invoices',
  refetches: { ledger: ['invoice'] },
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
      load: () => import('./web/AllInvoices.tsx'),
      slots: [invoicesActions, invoicesSections],
    },
    {
      path: '/ledger/invoice',
      title: 'Invoice',
      for: ADMINS,
      load: () => import('./web/Invoice.tsx'),
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
      load: () => import('./web/Supplier.tsx'),
    },
  ],
  fills: [
    fill(accountSections, 30, () => import('./web/Invoices.tsx')),
    fill(coveredUsage, 10, () => import('./web/CoveredMonth.tsx')),
    fill(organisationSections, 20, () => import('./web/Billing.tsx')),
    fill(organisationSections, 30, () => import('./web/TaxStatus.tsx')),
  ],
  provides: [provide(recordsTax, true)],
})
