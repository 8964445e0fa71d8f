import type { ReactNode } from 'react'
import { ROLES, type Role } from '@trainyard/contract/words/role.ts'
import type { Api } from './api.ts'
import type { OfTraining } from './selection.ts'

/** The sidebar's groups, in their order; those of 'Start' stand above the others without a heading. */
export const MENU_GROUPS = ['Start', 'Instance Overview', 'Sandboxes', 'Ledger'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface ScreenRow {
  readonly path: `/${string}`
  /** The heading and the document's title: the name that the route table gives it. */
  readonly title: string
  readonly roles: readonly Role[]
  /**
   * Where it stands in the sidebar; null: reached by a link or its address only. `roles`: who finds it there, where
   * that is fewer than may open it.
   */
  readonly menu: { readonly group: MenuGroup; readonly label: string; readonly roles?: readonly Role[] } | null
  /** The screen's own chunk; its default export is the component. */
  readonly load: () => Promise<{ default: () => ReactNode }>
  /** What it asks for at once about the chosen training: begun while the application is still on its way. */
  readonly first?: (api: Api, of: OfTraining) => Promise<unknown>
}

/** Every screen behind the login, once: router, guard and sidebar read this table. */
export const screens: readonly ScreenRow[] = [
  {
    path: '/',
    title: 'Home',
    roles: ROLES,
    menu: { group: 'Start', label: 'Home' },
    load: () => import('./screens/home/Home.tsx'),
  },
  {
    path: '/dashboard',
    title: 'Control Center',
    roles: ['superadmin'],
    menu: { group: 'Start', label: 'Control Center' },
    load: () => import('./screens/dashboard/Dashboard.tsx'),
  },
  {
    path: '/overview',
    title: 'System Admin Panel',
    roles: ['superadmin'],
    menu: { group: 'Start', label: 'System Admin Panel' },
    load: () => import('./screens/overview/Overview.tsx'),
  },
  {
    path: '/vm/vmdetails',
    title: 'Virtual Lab Console',
    roles: ['user', 'admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Virtual Lab Console' },
    load: () => import('./screens/console/Console.tsx'),
    first: (api, of) => api.machine.list(of),
  },
  {
    path: '/vm/billing',
    title: 'Usage and Billing Summary',
    roles: ['user', 'admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Usage and Billing Summary' },
    load: () => import('./screens/billing/Billing.tsx'),
    first: (api, of) => api.training.billing({ ...of, lines: 'yes' }),
  },
  {
    path: '/vm/logs',
    title: 'Session Logs',
    roles: ROLES,
    // Anyone signed in may open it; a sandbox user has no training whose logs to read.
    menu: { group: 'Instance Overview', label: 'Session Logs', roles: ['user', 'admin', 'superadmin'] },
    load: () => import('./screens/logs/Logs.tsx'),
    first: (api, of) => api.training.machineNames(of),
  },
  {
    path: '/vm/ports',
    title: 'Networking (Ports)',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Networking (Ports)' },
    load: () => import('./screens/ports/Ports.tsx'),
    first: (api, of) => api.port.list(of),
  },
  {
    path: '/vm/scheduler',
    title: 'Schedule Task',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Schedule Task' },
    load: () => import('./screens/scheduler/Scheduler.tsx'),
    first: (api, of) => api.schedule.list(of),
  },
  {
    path: '/vm/restriction',
    title: 'User Permissions',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'User Permissions' },
    load: () => import('./screens/restriction/Restriction.tsx'),
    first: (api, of) => api.accessWindow.read(of),
  },
  {
    path: '/createvm',
    title: 'Provision New Instance',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Provision New Instance' },
    load: () => import('./screens/createvm/CreateVm.tsx'),
  },
  {
    path: '/vm/quota',
    title: 'Quota Assignment',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Quota Assignment' },
    load: () => import('./screens/quota/Quota.tsx'),
    first: (api, of) => api.quota.read(of),
  },
  {
    path: '/vm/deletelogs',
    title: 'Logs Cleanup',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Logs Cleanup' },
    load: () => import('./screens/deletelogs/DeleteLogs.tsx'),
  },
  {
    path: '/vm/deletetraining',
    title: 'Remove Lab Course',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Remove Lab Course' },
    load: () => import('./screens/deletetraining/DeleteTraining.tsx'),
  },
  {
    path: '/sandbox/azure',
    title: 'Azure Sandbox',
    roles: ['sandboxuser'],
    menu: { group: 'Sandboxes', label: 'Azure Sandbox' },
    load: () => import('./screens/azure-sandbox/AzureSandbox.tsx'),
  },
  {
    path: '/sandbox/aws',
    title: 'AWS Sandbox',
    roles: ['awssandboxuser'],
    menu: { group: 'Sandboxes', label: 'AWS Sandbox' },
    load: () => import('./screens/aws-sandbox/AwsSandbox.tsx'),
  },
  {
    path: '/sandbox/azure/users',
    title: 'Azure Lab Users',
    roles: ['superadmin'],
    menu: { group: 'Sandboxes', label: 'Azure Lab Users' },
    load: () => import('./screens/azure-users/AzureUsers.tsx'),
  },
  {
    path: '/sandbox/aws/users',
    title: 'AWS Lab Users',
    roles: ['superadmin'],
    menu: { group: 'Sandboxes', label: 'AWS Lab Users' },
    load: () => import('./screens/aws-users/AwsUsers.tsx'),
  },
  {
    path: '/ledger',
    title: 'Billing History',
    roles: ['superadmin'],
    menu: { group: 'Ledger', label: 'Billing History' },
    load: () => import('./screens/ledger/Ledger.tsx'),
  },
  {
    path: '/ledger/account',
    title: 'Account',
    roles: ['admin', 'superadmin'],
    // A superadmin comes here from a row of Billing History, which says whose account.
    menu: { group: 'Ledger', label: 'Account', roles: ['admin'] },
    load: () => import('./screens/account/Account.tsx'),
  },
]
