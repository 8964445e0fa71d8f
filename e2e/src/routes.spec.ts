import { navigate } from './navigate.ts'
import { expect, menuOf, type RoleName, test } from './test.ts'

const ALL: readonly RoleName[] = ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser']
const LAB: readonly RoleName[] = ['user', 'admin', 'superadmin']
const STAFF: readonly RoleName[] = ['admin', 'superadmin']

/** Route table of the specification and further screens: path, allowed roles, and heading. */
const ROUTES: readonly (readonly [path: string, roles: readonly RoleName[], heading: string])[] = [
  ['/', ALL, 'Home'],
  ['/dashboard', ['superadmin'], 'Control Center'],
  ['/overview', ['superadmin'], 'System Admin Panel'],
  ['/vm/vmdetails', LAB, 'Virtual Lab Console'],
  ['/vm/class', STAFF, 'Class'],
  ['/vm/billing', LAB, 'Usage and Billing Summary'],
  ['/vm/logs', ALL, 'Session Logs'],
  ['/vm/ports', STAFF, 'Networking (Ports)'],
  ['/vm/scheduler', STAFF, 'Schedule Task'],
  ['/vm/attendance', STAFF, 'Attendance'],
  ['/vm/roster', STAFF, 'Roster'],
  ['/vm/registration', STAFF, 'Registration Links'],
  ['/vm/restriction', STAFF, 'User Permissions'],
  ['/createvm', STAFF, 'Provision New Instance'],
  ['/vm/quota', ['superadmin'], 'Quota Assignment'],
  ['/vm/deletelogs', ['superadmin'], 'Logs Cleanup'],
  ['/vm/deletetraining', ['superadmin'], 'Remove Lab Course'],
  ['/sandbox/azure', ['sandboxuser'], 'Azure Sandbox'],
  ['/sandbox/aws', ['awssandboxuser'], 'AWS Sandbox'],
  ['/sandbox/azure/users', ['superadmin'], 'Azure Lab Users'],
  ['/sandbox/aws/users', ['superadmin'], 'AWS Lab Users'],
  ['/ledger', ['superadmin'], 'Billing History'],
  ['/ledger/account', STAFF, 'Account'],
  ['/ledger/invoices', ['superadmin'], 'Invoices'],
  ['/ledger/costs', ['superadmin'], 'Provider Costs'],
  ['/ledger/invoice', STAFF, 'Invoice'],
  ['/ledger/statement', STAFF, 'Statement'],
  ['/ledger/gst', ['superadmin'], 'GST Return'],
  ['/ledger/credit', STAFF, 'Prepaid Credit'],
  ['/budgets', STAFF, 'Budgets'],
  ['/account', ALL, 'Account Security'],
  ['/admin/organisation', STAFF, 'Organisation Settings'],
  ['/admin/lms', STAFF, 'Connect Your LMS'],
  ['/admin/import', STAFF, 'Move from Lab Services'],
  ['/admin/supplier', ['superadmin'], 'Supplier Settings'],
  ['/notifications', LAB, 'Notifications'],
  ['/requests', LAB, 'Requests'],
  ['/admin/keys', LAB, 'API Keys'],
  ['/admin/webhooks', STAFF, 'Webhooks'],
  ['/admin/networks', ['superadmin'], 'Private Networks'],
  ['/admin/audit', STAFF, 'Audit'],
]

for (const role of ALL) {
  // @covers R1.2 R2.3 R2.4 R2.5 R2.6 R2.7 R2.8 R2.9 R2.10 R2.11 R2.12 R2.13 R2.14 R2.15 R2.16 R2.17 R2.18 R2.19 R2.20 R2.21 R2.23 R2.25 R7.1 R7.2 R7.3 R7.4
  test(`every route opens for ${role} or shows the permission page`, async ({ signedIn }) => {
    const page = await signedIn(role)
    const heading = page.getByRole('heading', { level: 1 })
    const menu = menuOf(page)
    const labels = await menu.allInnerTexts()
    for (const [path, roles, name] of ROUTES) {
      if (labels.includes(name)) await menu.getByText(name, { exact: true }).click()
      else await navigate(page, path)
      await expect(page, path).toHaveURL((url) => url.pathname === path)
      if (roles.includes(role)) {
        await expect(heading, path).toHaveText(name)
        continue
      }
      expect(labels).not.toContain(name)
      await expect(page.getByRole('main'), path).toContainText(`${name} is not available to the access level ${role}.`)
      await expect(heading, path).toHaveText('Permission Error')
    }
    expect(ROUTES.map(([, , name]) => name)).toEqual(expect.arrayContaining(labels))
  })
}

// @covers R2.1 R2.22 R2.24
test('every route leads a signed-out user to the login page, without sidebar and top bar', async ({ page }) => {
  for (const [path] of ROUTES) {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page, path).toHaveURL(/\/login/)
    await expect(page.getByLabel('Username'), path).toBeVisible()
  }
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('banner')).toHaveCount(0)
})
