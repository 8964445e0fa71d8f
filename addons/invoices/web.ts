import IconBuildingStore from '@tabler/icons-react/icons/IconBuildingStore'
import { ADMINS, fill, provide, webModule } from '@trainyard/platform/web/shell/module.ts'
import { accountActions, coveredUsage, recordsTax } from '@trainyard/ledger/web/slots.ts'
import { invoicesActions, invoicesSections } from './web/slots.ts'
import { organisationSections } from '@trainyard/organisations/web/slots.ts'

export const invoices = webModule({
  name: 'invoices',
  refetches: { ledger: ['invoice'] },
  screens: [
    {
      path: '/ledger/invoices',
      title: 'Invoices',
      tasks: ['Issue invoices | bill GST one-off credit note'],
      for: ['superadmin'],
      tab: { of: '/ledger', order: 10 },
      load: () => import('./web/AllInvoices.tsx'),
      slots: [invoicesActions, invoicesSections],
    },
    {
      path: '/ledger/account/invoices',
      title: 'Invoices',
      tasks: ['Download an invoice | PDF bill GST receipt'],
      for: ADMINS,
      context: 'organisation',
      tab: { of: '/ledger/account', order: 20 },
      load: () => import('./web/Invoices.tsx'),
      slots: [accountActions],
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
      tasks: ['Change the supplier | GSTIN address PAN'],
      for: ['superadmin'],
      menu: {
        group: 'Administration',
        order: 40,
        icon: IconBuildingStore,
      },
      tabs: { own: 'Supplier', aside: true },
      load: () => import('./web/Supplier.tsx').then(({ Supplier }) => ({ default: Supplier })),
    },
    {
      path: '/admin/supplier/series',
      title: 'Numbering and Rates',
      tasks: ['Change invoice numbering | prefix tax rate'],
      for: ['superadmin'],
      tab: { of: '/admin/supplier', order: 10 },
      load: () => import('./web/Supplier.tsx').then(({ Series }) => ({ default: Series })),
    },
    {
      path: '/admin/supplier/e-invoices',
      title: 'E-invoices',
      for: ['superadmin'],
      tab: { of: '/admin/supplier', order: 20 },
      load: () => import('./web/Supplier.tsx').then(({ EInvoices }) => ({ default: EInvoices })),
    },
    {
      path: '/admin/supplier/billing',
      title: 'Monthly Run and Vouchers',
      for: ['superadmin'],
      tab: { of: '/admin/supplier', order: 30 },
      load: () => import('./web/Supplier.tsx').then(({ Run }) => ({ default: Run })),
    },
    {
      path: '/admin/supplier/reminders',
      title: 'Reminders and Overdue Invoices',
      for: ['superadmin'],
      tab: { of: '/admin/supplier', order: 40 },
      load: () => import('./web/Supplier.tsx').then(({ Reminders }) => ({ default: Reminders })),
    },
  ],
  fills: [
    fill(coveredUsage, 10, () => import('./web/CoveredMonth.tsx')),
    fill(organisationSections, 20, () => import('./web/Billing.tsx')),
    fill(organisationSections, 30, () => import('./web/TaxStatus.tsx')),
  ],
  provides: [provide(recordsTax, true)],
})
