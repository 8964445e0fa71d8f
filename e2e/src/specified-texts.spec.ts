import type { Locator, Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expect, type RoleName, test } from './test.ts'

/** Role on the screen and exact names of words of the specification. */
type SpecifiedText = readonly [
  is: 'heading' | 'button' | 'columnheader' | 'region' | 'link' | 'term' | 'radio' | 'label' | 'text',
  ...names: string[],
]
type Row = readonly [path: string, title: string, roles: readonly RoleName[], ...words: SpecifiedText[]]

const ALL: readonly RoleName[] = ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser']
const LAB: readonly RoleName[] = ['user', 'admin', 'superadmin']
const STAFF: readonly RoleName[] = ['admin', 'superadmin']
const SUPERADMIN: readonly RoleName[] = ['superadmin']

const WORDS: readonly Row[] = [
  ['/', 'Home', ALL],
  [
    '/dashboard',
    'Control Center',
    SUPERADMIN,
    ['text', 'Organizations', 'Active Users', 'Azure Lab Enrollments'],
    ['heading', 'Azure Resource Summary', 'AWS Sandbox Summary'],
    ['text', 'VM Deployment Templates', 'Virtual Machines', 'Unpaid Invoices', 'Quota Exceeded'],
    ['text', 'Azure Sandbox', 'AWS Sandbox'],
  ],
  [
    '/overview',
    'System Admin Panel',
    SUPERADMIN,
    ['heading', 'Organisation', 'User', 'Template', 'Assigned'],
    ['button', 'Create Organization', 'Create User', 'Create VM Card', 'Assign VM Card'],
  ],
  [
    '/vm/vmdetails?training=Windows+Administration',
    'Virtual Lab Console',
    STAFF,
    ['button', 'Snapshot'],
    ['text', 'You do not have any Instances'],
  ],
  [
    '/vm/vmdetails?training=Linux+101',
    'Virtual Lab Console',
    LAB,
    ['button', 'Bulk Select', 'Active Instances', 'Inactive Instances', 'Power On', 'Power Off'],
    ['heading', 'Terminated Instances'],
    ['columnheader', 'Name', 'OS Type'],
  ],
  [
    '/vm/billing?training=Linux+101',
    'Usage and Billing Summary',
    LAB,
    ['heading', 'Compute Instance Summary', 'Total Runtime Hours', 'Usage Cost Estimate'],
    ['term', 'Total', 'Running', 'Stopped'],
  ],
  ['/vm/logs?training=Linux+101', 'Session Logs', LAB, ['label', 'Instance']],
  [
    '/vm/ports?training=Containers+Workshop',
    'Networking (Ports)',
    STAFF,
    ['heading', 'Existing Ports'],
    ['button', 'Open Port'],
    ['columnheader', 'Port Number', 'Delete'],
  ],
  [
    '/vm/scheduler?training=Containers+Workshop',
    'Schedule Task',
    STAFF,
    ['heading', 'Instance Task Scheduler'],
    ['columnheader', 'Date', 'Time', 'Action', 'Status', 'Delete'],
    ['button', 'New Scheduled Event'],
  ],
  ['/vm/restriction?training=Containers+Workshop', 'User Permissions', STAFF, ['term', 'Login Start', 'Login Stop']],
  [
    '/createvm?',
    'Provision New Instance',
    STAFF,
    ['term', 'CPU', 'Memory', 'OS', 'Storage', 'Disk', 'Price', 'License'],
    ['button', 'Ubuntu 24.04 Starter'],
  ],
  [
    '/vm/quota?training=Linux+101',
    'Quota Assignment',
    SUPERADMIN,
    ['heading', 'Increase Training Quota'],
    ['term', 'Selected training', 'Total quota', 'Consumed quota'],
    ['label', 'Increase By (hours)', 'Updated Quota'],
  ],
  ['/vm/deletelogs?training=Linux+101', 'Logs Cleanup', SUPERADMIN, ['button', 'Delete Logs']],
  ['/vm/deletetraining?training=Linux+101', 'Remove Lab Course', SUPERADMIN, ['button', 'Delete Training']],
  [
    '/sandbox/azure',
    'Azure Sandbox',
    ['sandboxuser'],
    ['heading', 'Credits', 'Create Sandbox', 'Your Sandboxes'],
    ['link', 'How to use a sandbox'],
    ['label', 'Sandbox name', 'Location'],
    ['button', 'Create Sandbox'],
  ],
  ['/sandbox/aws', 'AWS Sandbox', ['awssandboxuser'], ['link', 'Open the AWS console']],
  ['/sandbox/azure/users', 'Azure Lab Users', SUPERADMIN, ['button', 'Add User', 'Bulk Add'], ['label', 'Find a user']],
  ['/sandbox/aws/users', 'AWS Lab Users', SUPERADMIN, ['button', 'Add User', 'Bulk Add'], ['label', 'Find a user']],
  [
    '/ledger',
    'Billing History',
    SUPERADMIN,
    ['term', 'Invoice Value', 'Payment Received', 'Balance'],
    ['button', 'Add Invoice', 'Record Payment'],
    ['heading', 'Client Ledger'],
    ['columnheader', '#', 'Client Name', 'Invoice Value', 'Payment Received', 'Balance'],
  ],
  [
    '/ledger/account?',
    'Account',
    STAFF,
    ['heading', 'Acme Learning'],
    ['term', 'GST number'],
    ['text', 'Overall Balance', 'Credit Limit'],
    ['button', 'Make a Payment'],
    ['columnheader', 'Sl', 'Date', 'Particular', 'Invoice', 'Payment', 'ID'],
  ],
]

function locate(page: Page, is: SpecifiedText[0], name: string): Locator {
  const main = page.getByRole('main')
  if (is === 'text') return main.getByText(name, { exact: true }).first()
  if (is === 'label') return main.getByLabel(name, { exact: true })
  // Match terms by text: a term has no accessible name.
  if (is === 'term')
    return main
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .first()
  return main.getByRole(is, { name, exact: true }).first()
}

/** Returns the address for the role: only a superadmin has to name the organisation of the training. */
const addressOf = (path: string, role: RoleName) =>
  path.includes('?') && role === 'superadmin' ? `${path}&organization=Acme+Learning` : path

for (const role of ALL) {
  test(`${role} sees the specification's words on each screen`, async ({ signedIn }) => {
    const page = await signedIn(role)
    for (const [path, title, roles, ...texts] of WORDS) {
      if (!roles.includes(role)) continue
      await navigate(page, addressOf(path, role))
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title)
      for (const [is, ...names] of texts) {
        for (const name of names) await expect(locate(page, is, name), `${path}: ${is} ${name}`).toBeVisible()
      }
    }
  })
}
