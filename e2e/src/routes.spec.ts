import type { Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expect, menuOf, type RoleName, test } from './test.ts'

const ALL: readonly RoleName[] = ['user', 'admin', 'superadmin', 'sandboxuser', 'awssandboxuser']
const LAB: readonly RoleName[] = ['user', 'admin', 'superadmin']
const STAFF: readonly RoleName[] = ['admin', 'superadmin']

type Heading = string | Record<RoleName, string>

/** Route table of the specification and further screens: path, allowed roles, and heading, of a tab with its name. */
const ROUTES: readonly (readonly [path: string, roles: readonly RoleName[], heading: Heading])[] = [
  ['/', ALL, 'Home'],
  ['/dashboard', ['superadmin'], 'Control Center'],
  ['/overview', ['superadmin'], 'System Admin Panel'],
  ['/vm/vmdetails', LAB, 'Virtual Lab Console'],
  ['/vm/class', STAFF, 'Virtual Lab Console, Class'],
  ['/vm/guide', STAFF, 'Virtual Lab Console, Guide'],
  ['/vm/billing', LAB, 'Usage and Billing Summary'],
  ['/vm/logs', ALL, 'Session Logs'],
  ['/vm/ports', STAFF, 'Networking (Ports)'],
  ['/vm/scheduler', STAFF, 'Schedule Task'],
  ['/vm/calendar', STAFF, 'Schedule Task, Calendar'],
  ['/vm/ready', STAFF, 'Schedule Task, Ready by'],
  ['/vm/attendance', STAFF, 'Virtual Lab Console, Attendance'],
  ['/vm/ready-machines', STAFF, 'Virtual Lab Console, Ready machines'],
  ['/vm/roster', STAFF, 'User Permissions, Roster'],
  ['/vm/registration', STAFF, 'Virtual Lab Console, Registration Links'],
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
  ['/ledger/account/invoices', STAFF, 'Account, Invoices'],
  ['/ledger/quotes', STAFF, 'Account, Quotes'],
  ['/ledger/invoices', ['superadmin'], 'Billing History, Invoices'],
  ['/ledger/costs', ['superadmin'], 'Billing History, Provider Costs'],
  ['/ledger/invoice', STAFF, 'Invoice'],
  ['/ledger/statement', STAFF, 'Account, Statements'],
  ['/ledger/gst', ['superadmin'], 'Billing History, GST Return'],
  ['/ledger/settlements', ['superadmin'], 'Billing History, Settlements'],
  ['/ledger/credit', STAFF, 'Account, Prepaid Credit'],
  ['/budgets', STAFF, 'Usage and Billing Summary, Budget'],
  ['/account', ALL, 'Account Security'],
  ['/admin/organisation', STAFF, 'Organisation Settings'],
  ['/account/privacy', ALL, 'Account Security, Privacy'],
  ['/admin/people', STAFF, 'Organisation Settings, People'],
  ['/admin/sign-in', STAFF, 'Organisation Settings, Sign-in'],
  ['/admin/directory', STAFF, 'Organisation Settings, Directory'],
  ['/admin/privacy', STAFF, 'Organisation Settings, Privacy'],
  ['/admin/guides', STAFF, 'Organisation Settings, Guides'],
  ['/admin/guides/edit', STAFF, 'Guide Editor'],
  ['/admin/lms', STAFF, 'Organisation Settings, Connect Your LMS'],
  ['/admin/import', STAFF, 'Organisation Settings, Move from Lab Services'],
  ['/admin/supplier', ['superadmin'], 'Supplier Settings'],
  ['/admin/supplier/series', ['superadmin'], 'Supplier Settings, Numbering and Rates'],
  ['/admin/supplier/e-invoices', ['superadmin'], 'Supplier Settings, E-invoices'],
  ['/admin/supplier/billing', ['superadmin'], 'Supplier Settings, Monthly Run and Vouchers'],
  ['/admin/supplier/reminders', ['superadmin'], 'Supplier Settings, Reminders and Overdue Invoices'],
  ['/admin/set-up', ['superadmin'], 'Portal Set-up'],
  ['/notifications', LAB, 'Notifications'],
  [
    '/requests',
    LAB,
    {
      user: 'Notifications, Requests',
      admin: 'Notifications, Requests',
      superadmin: 'System Admin Panel, Requests',
      sandboxuser: 'Requests',
      awssandboxuser: 'Requests',
    },
  ],
  [
    '/admin/keys',
    LAB,
    {
      user: 'Account Security, API Keys',
      admin: 'Organisation Settings, API Keys',
      superadmin: 'Organisation Settings, API Keys',
      sandboxuser: 'API Keys',
      awssandboxuser: 'API Keys',
    },
  ],
  ['/admin/webhooks', STAFF, 'Organisation Settings, Webhooks'],
  ['/admin/networks', ['superadmin'], 'System Admin Panel, Private Networks'],
  ['/admin/audit', STAFF, 'Organisation Settings, Audit'],
]

for (const role of ALL) {
  test(`every route opens for ${role} or shows the permission page, without an error or a call refused within a minute`, async ({
    page,
    signedIn,
  }) => {
    await page.clock.install()
    await signedIn(role, `/${choiceOf(role)}`)
    const faults = collectFaults(page)
    const refusedPerMinute: Record<string, number> = {}
    const heading = page.getByRole('heading', { level: 1 })
    const menu = menuOf(page)
    const labels = await menu.allInnerTexts()
    for (const [path, roles, named] of ROUTES) {
      const shown = headingFor(role, named)
      const name = shown.split(', ').at(-1)!
      if (labels.includes(name)) await menu.getByText(name, { exact: true }).click()
      else await navigate(page, path)
      await expect(page, path).toHaveURL((url) => url.pathname === path)
      if (roles.includes(role)) {
        await expect(heading, path).toHaveText(shown)
      } else {
        expect(labels).not.toContain(name)
        await expect(page.getByRole('main'), path).toContainText(
          `${name} is not available to the access level ${role}.`,
        )
        await expect(heading, path).toHaveText('Permission Error')
        // An admin is the administrator of the organisation.
        await expect(page.getByText('your organisation’s administrator')).toHaveCount(STAFF.includes(role) ? 0 : 1)
      }
      const before = refusalsIn(faults)
      await page.clock.runFor(60_000)
      refusedPerMinute[path] = refusalsIn(faults) - before
    }
    expect(Object.entries(refusedPerMinute).filter(([, count]) => count > 0)).toEqual([])
    expect(ROUTES.map(([, , named]) => headingFor(role, named))).toEqual(expect.arrayContaining(labels))
    expect(faults).toEqual([])
  })

  test(`no screen of ${role} repeats a refused call within 15 seconds`, async ({ page, signedIn }) => {
    await page.clock.install()
    await page.addInitScript(refuseAllReads)
    await signedIn(role)
    await page.evaluate('refusing = true')
    for (const [path, , named] of ROUTES.filter(([, allowed]) => allowed.includes(role))) {
      await navigate(page, path + choiceOf(role))
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(headingFor(role, named))
      await page.clock.runFor(60_000)
    }
    const calls = await page.evaluate<{ address: string; at: number }[]>('refusedCalls')
    const ofAddress = Map.groupBy(calls, ({ address }) => address)
    const tooSoon = [...ofAddress].flatMap(([address, made]) =>
      made
        .slice(1)
        .flatMap(({ at }, place) =>
          at - made[place]!.at < 15_000 ? [`${address} after ${at - made[place]!.at} ms`] : [],
        ),
    )
    expect(tooSoon).toEqual([])
    // Otherwise nothing was refused, and the test has no meaning.
    expect(ofAddress.size).toBeGreaterThan(3)
  })
}

const headingFor = (role: RoleName, named: Heading): string => (typeof named === 'string' ? named : named[role])

/** Returns the query that selects a training on the screens of a role. */
const choiceOf = (role: RoleName) =>
  role === 'superadmin'
    ? '?organization=Acme+Learning&training=Linux+101'
    : LAB.includes(role)
      ? '?training=Linux+101'
      : ''

/** Collects refused calls, errors in the console, and exceptions and rejections that nothing handles. */
function collectFaults(page: Page): readonly string[] {
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', (reply) => reply.status() >= 400 && faults.push(`${reply.status()} ${reply.url()}`))
  return faults
}

const refusalsIn = (faults: readonly string[]): number => faults.filter((fault) => /^4\d\d /.test(fault)).length

/** Runs in the page. Refuses every read and stream at once, as soon as `refusing` is set, and records it. */
function refuseAllReads(): void {
  const page = globalThis as unknown as {
    refusing: boolean
    refusedCalls: object[]
    fetch: typeof fetch
    EventSource: unknown
  }
  page.refusing = false
  page.refusedCalls = []
  const { fetch: send } = page
  const refuse = (address: string) => void page.refusedCalls.push({ address, at: Date.now() })
  page.fetch = (address, options) => {
    if (!page.refusing || (options?.method ?? 'GET') !== 'GET') return send(address, options)
    refuse(address as string)
    return Promise.resolve(Response.json({ code: 'forbidden', message: 'Refused.' }, { status: 403 }))
  }
  page.EventSource = class extends EventTarget {
    static readonly CLOSED = 2
    readonly readyState = 2
    constructor(address: string) {
      super()
      refuse(address)
      setTimeout(() => this.dispatchEvent(new Event('error')))
    }
    close(): void {}
  }
}

test('every route leads a signed-out user to the login page, without sidebar and top bar', async ({ page }) => {
  for (const [path] of ROUTES) {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page, path).toHaveURL(/\/login/)
    await expect(page.getByLabel('Username'), path).toBeVisible()
  }
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('banner')).toHaveCount(0)
})
