import type { Locator, Page } from '@playwright/test'
import { goOn } from './go-on.ts'
import { ACCOUNTS, expect, type RoleName, test } from './test.ts'

/** Where a word of the specification stands: by what it is to those who read the screen, and its exact name. */
type Word = readonly [
  is: 'heading' | 'button' | 'columnheader' | 'region' | 'link' | 'term' | 'radio' | 'label' | 'text',
  ...names: string[],
]
type Row = readonly [path: string, title: string, roles: readonly RoleName[], ...words: Word[]]

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

function placeOf(page: Page, is: Word[0], name: string): Locator {
  const main = page.getByRole('main')
  if (is === 'text') return main.getByText(name, { exact: true }).first()
  if (is === 'label') return main.getByLabel(name, { exact: true })
  // A column that sorts has its arrow within its name; a definition's term has no name of its own.
  if (is === 'term')
    return main
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${name}$`) })
      .first()
  return main.getByRole(is, { name, exact: true }).first()
}

/** The address as the role needs it: only a superadmin says whose training is meant. */
const addressOf = (path: string, role: RoleName) =>
  path.includes('?') && role === 'superadmin' ? `${path}&organization=Acme+Learning` : path

for (const role of ALL) {
  test(`${role} reads the specification's words on each screen of theirs`, async ({ signedIn }) => {
    const page = await signedIn(role)
    for (const [path, title, roles, ...words] of WORDS) {
      if (!roles.includes(role)) continue
      await goOn(page, addressOf(path, role))
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(title)
      for (const [is, ...names] of words) {
        for (const name of names) await expect(placeOf(page, is, name), `${path}: ${is} ${name}`).toBeVisible()
      }
    }
  })
}

test('sidebar and foot say where one is and who: groups, pickers, e-mail, access level, organisation, Logout', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const aside = page.getByRole('complementary')
  for (const group of ['Instance Overview', 'Sandboxes'])
    await expect(aside.getByRole('heading', { name: group, exact: true })).toBeVisible()
  const foot = aside.getByRole('contentinfo').or(aside.locator('footer'))
  for (const said of [ACCOUNTS.superadmin, 'superadmin', 'Unknown'])
    await expect(foot.getByText(said, { exact: true })).toBeVisible()
  await expect(foot.getByRole('link', { name: 'Logout' })).toBeVisible()
  await aside.getByLabel('Choose Customer').selectOption('Acme Learning')
  await aside.getByLabel('Choose Lab Module').selectOption('Linux 101')
  await expect(page).toHaveURL(/organization=Acme\+Learning&training=Linux\+101$/)
  await aside.getByLabel('Choose Customer').selectOption('Globex Academy')
  await expect(aside.getByLabel('Choose Lab Module')).toHaveValue('')
  const modules = aside.getByLabel('Choose Lab Module').getByRole('option')
  await expect(modules.filter({ hasText: 'Linux 101' })).toHaveCount(1)
  await expect(modules.filter({ hasText: 'Containers Workshop' })).toHaveCount(0)
})

test('what is empty says so', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const made = await page.request.post('/api/admin/organization', {
    headers: { origin: new URL(page.url()).origin },
    data: { organization: 'Empty Institute' },
  })
  expect(made.status(), await made.text()).toBe(200)
  await page.goto('/createvm?organization=Empty+Institute')
  await expect(page.getByText('No Template Found')).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module').getByRole('option').first()).toHaveText('No Training Found')
  await goOn(page, '/ledger/account?organization=Empty+Institute')
  await expect(page.getByText('No transactions found')).toBeVisible()

  // A portal in which there is nobody at all.
  await page.route('**/api/admin/organization', (route) => route.fulfill({ json: { organization: [] } }))
  await page.route('**/api/admin/ledger', (route) =>
    route.fulfill({ json: { totalInvoice: 0, totalPayment: 0, totalBalance: 0, ledger: [] } }),
  )
  await page.goto('/ledger')
  await expect(page.getByText('No client data available')).toBeVisible()
  await expect(page.getByLabel('Choose Customer').getByRole('option')).toHaveText(['No customer found'])
})

test('logs are loading, then say when a machine ran, on the clock of the organisation', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/azure/logs?*', (route) => held.promise.then(() => route.continue()))
  await goOn(page, '/vm/logs?training=Linux+101')
  // One of a course that is over: each of its runs has an end.
  const name = 'acme-linux-1'
  await page.getByLabel('Instance', { exact: true }).selectOption(name)
  await expect(page.getByRole('heading', { name: `Logs Explorer - ${name}`, exact: true })).toBeVisible()
  await expect(page.getByText('Loading...')).toBeVisible()
  held.resolve()
  const table = page.getByRole('table', { name: `Runs of ${name}` })
  await expect(table.getByRole('columnheader')).toHaveText(['Start Time', 'End Time', 'Duration (minutes)'])
  const moment = '\\d\\d:\\d\\d:\\d\\d, \\d\\d \\w{3,4} \\d{4}'
  await expect(table.getByRole('row').nth(1)).toHaveText(new RegExp(`^${moment}${moment}\\d+(\\.\\d+)?$`))
})

/** How much more red, and how much more green, than the other two colours something is written in. */
async function tintOf(of: Locator): Promise<{ red: number; green: number }> {
  const colour = await of.evaluate((element) => {
    const pixel = element.ownerDocument.createElement('canvas').getContext('2d')!
    pixel.fillStyle = element.ownerDocument.defaultView!.getComputedStyle(element).color
    pixel.fillRect(0, 0, 1, 1)
    return [...pixel.getImageData(0, 0, 1, 1).data]
  })
  const [red = 0, green = 0, blue = 0] = colour
  return { red: red - Math.max(green, blue), green: green - Math.max(red, blue) }
}

test('a start to come is green, a stop to come red, and what is done is neither', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await goOn(page, '/vm/scheduler?training=Containers+Workshop')
  const table = page.getByRole('table', { name: 'Schedules' })
  const word = (action: string, status: string) =>
    table.getByRole('row').filter({ hasText: status }).getByText(action, { exact: true }).first()
  await expect(table.getByRole('row').nth(1)).toHaveText(/^\d\d\/\d\d\/\d{4}\d\d:\d\d(Start|Stop)(Pending|Completed)/)
  expect((await tintOf(word('Start', 'Pending'))).green).toBeGreaterThan(20)
  expect((await tintOf(word('Stop', 'Pending'))).red).toBeGreaterThan(20)
  const done = table.getByRole('row').filter({ hasText: 'Completed' }).first()
  const { red, green } = await tintOf(done.getByText(/^(Start|Stop)$/).first())
  expect(Math.max(red, green)).toBeLessThan(20)
})

test('the order form takes e-mails on Enter, comma, space, Tab and leaving; an invalid one is red and left out', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  await goOn(page, '/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  for (const label of ['Training Name', 'Allocated Hours', 'Browser Based VM Access'])
    await expect(form.getByLabel(label)).toBeVisible()
  await expect(form).toContainText('5 rupees extra an hour for each VM.')
  const field = form.getByRole('textbox', { name: 'Email IDs' })
  const chips = form.getByRole('list', { name: 'Email IDs added' }).getByRole('listitem')
  const keys = ['Enter', ',', ' ', 'Tab']
  for (const [place, key] of keys.entries()) {
    await field.fill(`learner${place}@acme.test`)
    await field.press(key)
    await expect(chips).toHaveCount(place + 1)
  }
  await field.fill('a_b-c.d@acme.museum')
  await field.blur()
  await field.fill('plus+sign@acme.test long@acme.academies')
  await field.press('Enter')
  await expect(chips).toHaveCount(7)
  const invalid = ['plus+sign@acme.test', 'long@acme.academies']
  for (const email of invalid) {
    await expect(form.getByRole('button', { name: `Remove ${email}, which is invalid` })).toBeVisible()
    expect((await tintOf(chips.getByText(email))).red).toBeGreaterThan(20)
  }
  expect((await tintOf(chips.first().getByText('learner0'))).red).toBeLessThan(20)
  await form.getByLabel('Training Name').fill('Not ordered')
  await form.getByRole('button', { name: 'Submit' }).click()
  const question = page.getByRole('dialog', { name: 'Create VMs' })
  await expect(question).toContainText('5 VMs of Ubuntu 24.04 Starter will be created')
  await expect(question.getByRole('button', { name: 'Create 5 VMs' })).toBeVisible()
})

test('the logo of an organisation that has one stands in the sidebar, else the portal’s own', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const head = page.getByRole('complementary').getByText('Trainyard', { exact: true }).locator('..')
  await expect(head.locator('svg')).toBeVisible()
  await page.route('**/api/user/me', async (route) => {
    const me = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...me, logo: '/favicon.svg' } })
  })
  await page.reload()
  await expect(head.locator('img')).toHaveAttribute('src', '/favicon.svg')
  await expect(head.locator('svg')).toHaveCount(0)
})

test('the forms of the System Admin Panel have the fields and choices that are listed', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await goOn(page, '/overview')
  const form = page.getByRole('dialog')
  const choices = (label: string) => form.getByLabel(label, { exact: true }).getByRole('option')
  await page.getByRole('button', { name: 'Create VM Card' }).click()
  await form.getByLabel('Official image').check()
  const texts = ['Template Name', 'Rate', 'Resource Group', 'Image ID', 'Location', 'VNet', 'CPU', 'Memory', 'Storage']
  for (const label of [...texts, 'Disk', 'Plan Publisher', 'Product', 'Version'])
    await expect(form.getByLabel(label)).toBeVisible()
  await expect(choices('VM Size')).toHaveText([
    'Standard_DS1_v2',
    'Standard_D2s_v3',
    'Standard_D4s_v3',
    'Standard_D8s_v3',
    'Standard_DS3_v2',
    'Standard_D4s_v4',
    'Standard_D8s_v4',
    'Standard_D16ds_v4',
  ])
  await expect(choices('OS')).toHaveText(['Windows', 'Linux'])
  await expect(choices('Licence')).toHaveText(['Windows_Server', 'none'])
  await expect(form.getByLabel('Licence')).toHaveValue('none')
  await form.getByRole('button', { name: 'Cancel' }).click()

  let sent = 0
  await page.route('**/api/admin/*', (route) => {
    if (route.request().method() === 'POST') sent += 1
    return route.continue()
  })
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(choices('User Type')).toHaveText(['user', 'admin', 'superadmin'])
  await expect(form.getByLabel('User Type')).toHaveValue('admin')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Select an organization.')).toBeVisible()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Create Organization' }).click()
  await form.getByRole('textbox').fill('   ')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(form.getByText('Enter a name.')).toBeVisible()
  expect(sent).toBe(0)
})

test('Azure lab users have credits and sandboxes on their cards, AWS lab users neither', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const cards = page.getByRole('region', { name: 'Users' }).getByRole('listitem')
  await goOn(page, '/sandbox/azure/users')
  await expect(cards.first()).toContainText('Credits')
  await expect(page.getByRole('list', { name: /^Sandboxes of/ })).not.toHaveCount(0)
  await goOn(page, '/sandbox/aws/users')
  await expect(cards.first()).toContainText('@aws.')
  await expect(page.getByRole('main').getByText('Credits')).toHaveCount(0)
  await expect(page.getByRole('list', { name: /^Sandboxes of/ })).toHaveCount(0)
})

test('a terminated machine has its name and its system, and nothing to press', async ({ signedIn }) => {
  const page = await signedIn('user')
  await goOn(page, '/vm/vmdetails?training=Linux+101')
  const table = page.getByRole('table', { name: 'Terminated Instances' })
  const row = table.getByRole('row').nth(1)
  await expect(row.getByRole('cell')).toHaveText([/^[a-z-]+-\d+$/, 'Linux'])
  await expect(row.locator('button, a, input')).toHaveCount(0)
})

test('every page of a training asks for one to be selected', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const pages = ['vmdetails', 'billing', 'logs', 'ports', 'scheduler', 'quota', 'deletelogs', 'deletetraining']
  for (const path of pages) {
    await goOn(page, `/vm/${path}`)
    await expect(page, path).toHaveURL(new RegExp(`${path}$`))
    const said = page.getByRole('main').getByText('Please select a training from the sidebar.')
    await expect(said.filter({ visible: true }).first(), path).toBeVisible()
  }
  await goOn(page, '/vm/restriction')
  await expect(page.getByText('Please select a training first.')).toBeVisible()
})

test('web-based access is offered where it was ordered and the machine runs, and where not it says why', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const access = page.getByRole('button', { name: /^Web-based access to/ }).first()
  for (const [organization, why] of [
    ['Acme+Learning', null],
    ['Globex+Academy', /was ordered without browser access\.$/],
  ] as const) {
    await goOn(page, `/vm/vmdetails?organization=${organization}&training=Linux+101`)
    const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
    await expect(card).toContainText(/Running|Stopped/)
    const runs = /Running/.test(await card.innerText())
    if (why === null && runs) {
      await expect(access).toBeEnabled()
    } else {
      await expect(access).toHaveAccessibleDescription(why ?? /is not running\.$/)
      await expect(access).toBeDisabled()
    }
  }
})
