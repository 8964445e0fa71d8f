import { ROLES, type Role } from '@trainyard/contract/words/role.ts'

/** Sidebar groups in display order. Entries of 'Start' come first, without a heading. */
export const MENU_GROUPS = ['Start', 'Instance Overview', 'Sandboxes', 'Ledger', 'Administration'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Route<Path extends `/${string}` = `/${string}`> {
  readonly path: Path
  readonly title: string
  readonly roles: readonly Role[]
  /** Also for users who are instructors, for their trainings. */
  readonly instructors?: true
  /** Null for a screen opened only by a link. `roles` narrows the roles that see the entry. */
  readonly menu: { readonly group: MenuGroup; readonly roles?: readonly Role[] } | null
}

const defineRoutes = <const Path extends `/${string}`>(routes: readonly Route<Path>[]) => routes

const ADMINS = ['admin', 'superadmin'] as const
const LAB_ROLES = ['user', ...ADMINS] as const

export const routes = defineRoutes([
  { path: '/', title: 'Home', roles: ROLES, menu: { group: 'Start' } },
  { path: '/dashboard', title: 'Control Center', roles: ['superadmin'], menu: { group: 'Start' } },
  { path: '/overview', title: 'System Admin Panel', roles: ['superadmin'], menu: { group: 'Start' } },
  { path: '/vm/vmdetails', title: 'Virtual Lab Console', roles: LAB_ROLES, menu: { group: 'Instance Overview' } },
  { path: '/vm/class', title: 'Class', roles: ADMINS, instructors: true, menu: { group: 'Instance Overview' } },
  { path: '/vm/billing', title: 'Usage and Billing Summary', roles: LAB_ROLES, menu: { group: 'Instance Overview' } },
  {
    path: '/vm/logs',
    title: 'Session Logs',
    roles: ROLES,
    // A sandbox user may open this screen, but has no training with logs.
    menu: { group: 'Instance Overview', roles: LAB_ROLES },
  },
  { path: '/vm/ports', title: 'Networking (Ports)', roles: ADMINS, menu: { group: 'Instance Overview' } },
  {
    path: '/vm/scheduler',
    title: 'Schedule Task',
    roles: ADMINS,
    instructors: true,
    menu: { group: 'Instance Overview' },
  },
  {
    path: '/vm/attendance',
    title: 'Attendance',
    roles: ADMINS,
    instructors: true,
    menu: { group: 'Instance Overview' },
  },
  { path: '/vm/roster', title: 'Roster', roles: ADMINS, menu: { group: 'Instance Overview' } },
  {
    path: '/vm/registration',
    title: 'Registration Links',
    roles: ADMINS,
    instructors: true,
    menu: { group: 'Instance Overview' },
  },
  { path: '/vm/restriction', title: 'User Permissions', roles: ADMINS, menu: { group: 'Instance Overview' } },
  { path: '/createvm', title: 'Provision New Instance', roles: ADMINS, menu: { group: 'Instance Overview' } },
  { path: '/vm/quota', title: 'Quota Assignment', roles: ['superadmin'], menu: { group: 'Instance Overview' } },
  { path: '/vm/deletelogs', title: 'Logs Cleanup', roles: ['superadmin'], menu: { group: 'Instance Overview' } },
  {
    path: '/vm/deletetraining',
    title: 'Remove Lab Course',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview' },
  },
  { path: '/sandbox/azure', title: 'Azure Sandbox', roles: ['sandboxuser'], menu: { group: 'Sandboxes' } },
  { path: '/sandbox/aws', title: 'AWS Sandbox', roles: ['awssandboxuser'], menu: { group: 'Sandboxes' } },
  { path: '/sandbox/azure/users', title: 'Azure Lab Users', roles: ['superadmin'], menu: { group: 'Sandboxes' } },
  { path: '/sandbox/aws/users', title: 'AWS Lab Users', roles: ['superadmin'], menu: { group: 'Sandboxes' } },
  { path: '/ledger', title: 'Billing History', roles: ['superadmin'], menu: { group: 'Ledger' } },
  {
    path: '/ledger/account',
    title: 'Account',
    roles: ADMINS,
    // A superadmin opens this screen from a row of Billing History, which selects the customer.
    menu: { group: 'Ledger', roles: ['admin'] },
  },
  {
    path: '/ledger/statement',
    title: 'Statement',
    roles: ADMINS,
    menu: null,
  },
  { path: '/ledger/invoices', title: 'Invoices', roles: ['superadmin'], menu: { group: 'Ledger' } },
  { path: '/ledger/costs', title: 'Provider Costs', roles: ['superadmin'], menu: { group: 'Ledger' } },
  { path: '/ledger/gst', title: 'GST Return', roles: ['superadmin'], menu: null },
  {
    path: '/ledger/invoice',
    title: 'Invoice',
    roles: ADMINS,
    menu: null,
  },
  { path: '/ledger/credit', title: 'Prepaid Credit', roles: ADMINS, menu: { group: 'Ledger' } },
  { path: '/budgets', title: 'Budgets', roles: ADMINS, menu: { group: 'Ledger' } },
  {
    path: '/account',
    title: 'Account Security',
    roles: ROLES,
    menu: null,
  },
  { path: '/admin/organisation', title: 'Organisation Settings', roles: ADMINS, menu: { group: 'Administration' } },
  { path: '/admin/lms', title: 'Connect Your LMS', roles: ADMINS, menu: { group: 'Administration' } },
  { path: '/admin/import', title: 'Move from Lab Services', roles: ADMINS, menu: { group: 'Administration' } },
  { path: '/admin/supplier', title: 'Supplier Settings', roles: ['superadmin'], menu: { group: 'Administration' } },
  { path: '/notifications', title: 'Notifications', roles: LAB_ROLES, menu: null },
  { path: '/requests', title: 'Requests', roles: LAB_ROLES, menu: { group: 'Administration' } },
  { path: '/admin/keys', title: 'API Keys', roles: LAB_ROLES, menu: { group: 'Administration' } },
  { path: '/admin/webhooks', title: 'Webhooks', roles: ADMINS, menu: { group: 'Administration' } },
  { path: '/admin/networks', title: 'Private Networks', roles: ['superadmin'], menu: { group: 'Administration' } },
  { path: '/admin/audit', title: 'Audit', roles: ADMINS, menu: { group: 'Administration' } },
])

export type RoutePath = (typeof routes)[number]['path']
