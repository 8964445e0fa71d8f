import type { ReactNode } from 'react'
import type { Api } from '#src/api/client.ts'
import { type RoutePath, routes, type Route } from '#src/navigation/routes.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'

interface Loader {
  readonly load: () => Promise<{ default: () => ReactNode }>
  /** Makes the screen's first call for the selected training, while the application loads. */
  readonly prefetch?: (api: Api, training: TrainingQuery) => Promise<unknown>
}

export type Screen = Route & Loader

const loaders: Readonly<Record<RoutePath, Loader>> = {
  '/': { load: () => import('#src/screens/home/Home.tsx') },
  '/dashboard': { load: () => import('#src/screens/dashboard/Dashboard.tsx') },
  '/overview': { load: () => import('#src/screens/overview/Overview.tsx') },
  '/vm/vmdetails': {
    load: () => import('#src/screens/console/Console.tsx'),
    prefetch: (api, of) => api.machine.list(of),
  },
  '/vm/class': {
    load: () => import('#src/screens/class/Class.tsx'),
    prefetch: (api, of) => api.classroom.list(of),
  },
  '/vm/billing': {
    load: () => import('#src/screens/billing/Billing.tsx'),
    prefetch: (api, of) => api.meter.bill({ ...of, lines: 'yes' }),
  },
  '/vm/logs': {
    load: () => import('#src/screens/logs/Logs.tsx'),
    prefetch: (api, of) => api.machine.names(of),
  },
  '/vm/ports': {
    load: () => import('#src/screens/ports/Ports.tsx'),
    prefetch: (api, of) => api.port.list(of),
  },
  '/vm/scheduler': {
    load: () => import('#src/screens/scheduler/Scheduler.tsx'),
    prefetch: (api, of) => api.schedule.list(of),
  },
  '/vm/attendance': { load: () => import('#src/screens/attendance/Attendance.tsx') },
  '/vm/roster': { load: () => import('#src/screens/roster/Roster.tsx') },
  '/vm/registration': {
    load: () => import('#src/screens/registration/Registration.tsx'),
    prefetch: (api, of) => api.registrationLink.list(of),
  },
  '/vm/restriction': {
    load: () => import('#src/screens/restriction/Restriction.tsx'),
    prefetch: (api, of) => api.accessWindow.read(of),
  },
  '/createvm': { load: () => import('#src/screens/createvm/CreateVm.tsx') },
  '/vm/quota': {
    load: () => import('#src/screens/quota/Quota.tsx'),
    prefetch: (api, of) => api.quota.read(of),
  },
  '/vm/deletelogs': { load: () => import('#src/screens/deletelogs/DeleteLogs.tsx') },
  '/vm/deletetraining': { load: () => import('#src/screens/deletetraining/DeleteTraining.tsx') },
  '/sandbox/azure': { load: () => import('#src/screens/azure-sandbox/AzureSandbox.tsx') },
  '/sandbox/aws': { load: () => import('#src/screens/aws-sandbox/AwsSandbox.tsx') },
  '/sandbox/azure/users': { load: () => import('#src/screens/azure-users/AzureUsers.tsx') },
  '/sandbox/aws/users': { load: () => import('#src/screens/aws-users/AwsUsers.tsx') },
  '/ledger': { load: () => import('#src/screens/ledger/Ledger.tsx') },
  '/ledger/account': { load: () => import('#src/screens/account/Account.tsx') },
  '/ledger/statement': { load: () => import('#src/screens/statement/Statement.tsx') },
  '/ledger/invoices': { load: () => import('#src/screens/invoices/Invoices.tsx') },
  '/ledger/costs': { load: () => import('#src/screens/costs/Costs.tsx') },
  '/ledger/gst': { load: () => import('#src/screens/gst-return/GstReturn.tsx') },
  '/ledger/invoice': { load: () => import('#src/screens/invoice/Invoice.tsx') },
  '/ledger/credit': { load: () => import('#src/screens/credit/Credit.tsx') },
  '/budgets': { load: () => import('#src/screens/budgets/Budgets.tsx') },
  '/account': { load: () => import('#src/screens/account-security/AccountSecurity.tsx') },
  '/admin/organisation': { load: () => import('#src/screens/organisation-settings/OrganisationSettings.tsx') },
  '/admin/lms': { load: () => import('#src/screens/lms/Lms.tsx') },
  '/admin/import': { load: () => import('#src/screens/lab-import/LabImport.tsx') },
  '/admin/supplier': { load: () => import('#src/screens/supplier/Supplier.tsx') },
  '/notifications': { load: () => import('#src/screens/notifications/Notifications.tsx') },
  '/requests': { load: () => import('#src/screens/requests/Requests.tsx') },
  '/admin/keys': { load: () => import('#src/screens/api-keys/ApiKeys.tsx') },
  '/admin/webhooks': { load: () => import('#src/screens/webhooks/Webhooks.tsx') },
  '/admin/networks': { load: () => import('#src/screens/networks/Networks.tsx') },
  '/admin/audit': { load: () => import('#src/screens/audit/Audit.tsx') },
}

export const screens: readonly Screen[] = routes.map((route) => ({ ...route, ...loaders[route.path] }))
