import { ROLES, type Role } from '@trainyard/contract/words/role.ts'

/** Sidebar groups in display order. Entries of 'Start' come first, without a heading. */
export const MENU_GROUPS = ['Start', 'Instance Overview', 'Sandboxes', 'Ledger', 'Administration'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Route<Path extends `/${string}` = `/${string}`> {
  readonly path: Path
  /** Heading and document title: the screen's name in the specification's route table. */
  readonly title: string
  readonly roles: readonly Role[]
  /**
   * Place in the sidebar, or null for a screen opened only by a link or its address. `roles` lists the roles that see
   * the entry, if fewer than the roles that may open the screen.
   */
  readonly menu: { readonly group: MenuGroup; readonly label: string; readonly roles?: readonly Role[] } | null
}

const defineRoutes = <const Path extends `/${string}`>(routes: readonly Route<Path>[]) => routes

/** All screens behind the login. The router, the permission guard and the sidebar read this table. */
export const routes = defineRoutes([
  {
    path: '/',
    title: 'Home',
    roles: ROLES,
    menu: { group: 'Start', label: 'Home' },
  },
  {
    path: '/dashboard',
    title: 'Control Center',
    roles: ['superadmin'],
    menu: { group: 'Start', label: 'Control Center' },
  },
  {
    path: '/overview',
    title: 'System Admin Panel',
    roles: ['superadmin'],
    menu: { group: 'Start', label: 'System Admin Panel' },
  },
  {
    path: '/vm/vmdetails',
    title: 'Virtual Lab Console',
    roles: ['user', 'admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Virtual Lab Console' },
  },
  {
    path: '/vm/class',
    title: 'Class',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Class' },
  },
  {
    path: '/vm/billing',
    title: 'Usage and Billing Summary',
    roles: ['user', 'admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Usage and Billing Summary' },
  },
  {
    path: '/vm/logs',
    title: 'Session Logs',
    roles: ROLES,
    // A sandbox user may open it but has no training with logs.
    menu: { group: 'Instance Overview', label: 'Session Logs', roles: ['user', 'admin', 'superadmin'] },
  },
  {
    path: '/vm/ports',
    title: 'Networking (Ports)',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Networking (Ports)' },
  },
  {
    path: '/vm/scheduler',
    title: 'Schedule Task',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Schedule Task' },
  },
  {
    path: '/vm/restriction',
    title: 'User Permissions',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'User Permissions' },
  },
  {
    path: '/createvm',
    title: 'Provision New Instance',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Instance Overview', label: 'Provision New Instance' },
  },
  {
    path: '/vm/quota',
    title: 'Quota Assignment',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Quota Assignment' },
  },
  {
    path: '/vm/deletelogs',
    title: 'Logs Cleanup',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Logs Cleanup' },
  },
  {
    path: '/vm/deletetraining',
    title: 'Remove Lab Course',
    roles: ['superadmin'],
    menu: { group: 'Instance Overview', label: 'Remove Lab Course' },
  },
  {
    path: '/sandbox/azure',
    title: 'Azure Sandbox',
    roles: ['sandboxuser'],
    menu: { group: 'Sandboxes', label: 'Azure Sandbox' },
  },
  {
    path: '/sandbox/aws',
    title: 'AWS Sandbox',
    roles: ['awssandboxuser'],
    menu: { group: 'Sandboxes', label: 'AWS Sandbox' },
  },
  {
    path: '/sandbox/azure/users',
    title: 'Azure Lab Users',
    roles: ['superadmin'],
    menu: { group: 'Sandboxes', label: 'Azure Lab Users' },
  },
  {
    path: '/sandbox/aws/users',
    title: 'AWS Lab Users',
    roles: ['superadmin'],
    menu: { group: 'Sandboxes', label: 'AWS Lab Users' },
  },
  {
    path: '/ledger',
    title: 'Billing History',
    roles: ['superadmin'],
    menu: { group: 'Ledger', label: 'Billing History' },
  },
  {
    path: '/ledger/account',
    title: 'Account',
    roles: ['admin', 'superadmin'],
    // A superadmin opens it from a row of Billing History, which selects the customer.
    menu: { group: 'Ledger', label: 'Account', roles: ['admin'] },
  },
  {
    path: '/ledger/statement',
    title: 'Statement',
    roles: ['admin', 'superadmin'],
    // Linked from the account.
    menu: null,
  },
  {
    path: '/ledger/invoices',
    title: 'Invoices',
    roles: ['superadmin'],
    menu: { group: 'Ledger', label: 'Invoices' },
  },
  {
    path: '/ledger/costs',
    title: 'Provider Costs',
    roles: ['superadmin'],
    menu: { group: 'Ledger', label: 'Provider Costs' },
  },
  {
    path: '/ledger/invoice',
    title: 'Invoice',
    roles: ['admin', 'superadmin'],
    // Linked from lists of documents and from the e-mail of each document.
    menu: null,
  },
  {
    path: '/budgets',
    title: 'Budgets',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Ledger', label: 'Budgets' },
  },
  {
    path: '/account',
    title: 'Account Security',
    roles: ROLES,
    // Linked from the top bar.
    menu: null,
  },
  {
    path: '/admin/organisation',
    title: 'Organisation Settings',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Administration', label: 'Organisation Settings' },
  },
  {
    path: '/admin/supplier',
    title: 'Supplier Settings',
    roles: ['superadmin'],
    menu: { group: 'Administration', label: 'Supplier Settings' },
  },
  {
    path: '/admin/audit',
    title: 'Audit',
    roles: ['admin', 'superadmin'],
    menu: { group: 'Administration', label: 'Audit' },
  },
])

export type RoutePath = (typeof routes)[number]['path']
