import type { Page, Route } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

const QUERY = '?organization=Acme+Learning&training=Linux+101'
const SERVER_MESSAGE = 'The portal has too much to do.'

/**
 * Screens whose data cannot be loaded: the failing calls, and the specified sentence or, without one, the server's
 * sentence.
 */
const FAILING_CALLS: readonly (readonly [screen: string, calls: readonly string[], sentence: string])[] = [
  [`/vm/billing${QUERY}`, ['/azure/billing'], 'Failed to fetch billing details.'],
  [`/vm/logs${QUERY}&vm=linux-101-1`, ['/azure/logs'], 'Failed to fetch logs.'],
  [`/vm/restriction${QUERY}`, ['/admin/myuser'], 'Failed to fetch training schedule'],
  ['/sandbox/azure/users', ['/sandbox/user'], 'Error fetching users.'],
  ['/sandbox/aws/users', ['/aws/user'], 'Error fetching users.'],
  [`/vm/vmdetails${QUERY}`, ['/azure/machines'], SERVER_MESSAGE],
  [`/vm/logs${QUERY}`, ['/azure/vmnames'], SERVER_MESSAGE],
  [`/vm/ports${QUERY}`, ['/azure/ports'], SERVER_MESSAGE],
  [`/vm/scheduler${QUERY}`, ['/azure/schedules'], SERVER_MESSAGE],
  [`/vm/attendance${QUERY}`, ['/azure/attendance'], SERVER_MESSAGE],
  [`/vm/roster${QUERY}`, ['/azure/roster'], SERVER_MESSAGE],
  [`/vm/registration${QUERY}`, ['/azure/registrationLinks'], SERVER_MESSAGE],
  [`/vm/class${QUERY}`, ['/azure/class'], SERVER_MESSAGE],
  [`/createvm${QUERY}`, ['/azure/templates'], SERVER_MESSAGE],
  [`/vm/quota${QUERY}`, ['/admin/quota'], SERVER_MESSAGE],
  ['/notifications', ['/notifications'], SERVER_MESSAGE],
  ['/requests', ['/requests'], SERVER_MESSAGE],
  ['/admin/keys', ['/user/keys'], SERVER_MESSAGE],
  [`/admin/lms${QUERY}`, ['/admin/lms'], SERVER_MESSAGE],
  [`/admin/webhooks${QUERY}`, ['/webhooks'], SERVER_MESSAGE],
  [`/admin/import${QUERY}`, ['/labImports'], SERVER_MESSAGE],
  ['/dashboard', ['/admin/dashboard'], SERVER_MESSAGE],
  ['/overview', ['/admin/organization', '/admin/users', '/admin/template', '/admin/assignTemplate'], SERVER_MESSAGE],
  [`/ledger/account${QUERY}`, ['/admin/ledger/accounts'], SERVER_MESSAGE],
  ['/admin/networks', ['/admin/networks'], SERVER_MESSAGE],
  ['/ledger/gst', ['/admin/gstr-1'], SERVER_MESSAGE],
  ['/ledger', ['/admin/ledger'], SERVER_MESSAGE],
]

test('shows the specified sentence on every screen whose data cannot be loaded, keeps the screen usable, and retries', async ({
  page,
  signedIn,
}) => {
  const failing = new Set(FAILING_CALLS.flatMap(([, calls]) => calls))
  const failed = new Set<string>()
  const withoutSession: string[] = []
  await page.route('**/api/**', async (route) => {
    const call = new URL(route.request().url()).pathname.slice('/api'.length)
    const { authorization, cookie } = await route.request().allHeaders()
    // Browsers do not let a page set headers of an event stream.
    const hasToken = authorization?.startsWith('Bearer ') || route.request().resourceType() === 'eventsource'
    const isOfLogin = ['/user/login', '/user/set-up'].includes(call)
    if (!isOfLogin && !(hasToken && cookie)) withoutSession.push(call)
    if (!failing.has(call) || route.request().method() !== 'GET') return route.continue()
    failed.add(call)
    return route.fulfill({
      status: 429,
      json: { code: 'tooMany', message: SERVER_MESSAGE, error: SERVER_MESSAGE, requestId: 'none' },
    })
  })
  await signedIn('superadmin')
  const main = page.getByRole('main')
  const heading = page.getByRole('heading', { level: 1 })
  for (const [screen, calls, sentence] of FAILING_CALLS) {
    const before = await heading.innerText()
    await navigate(page, screen)
    // The previous screen may show the same text and stays until the new one has loaded.
    await expect(heading, screen).not.toHaveText(before)
    await expect(main.getByRole('alert').filter({ hasText: sentence }).first(), screen).toContainText(sentence)
    for (const call of calls) await expect.poll(() => failed.has(call), call).toBe(true)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing History')
  failing.clear()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Client Ledger' })).toBeVisible()
  // Each call carries the session twice: as a bearer token and as a cookie.
  expect(withoutSession).toEqual([])
})

test('says that the portal is busy while it repeats a refused read, and shows the data once it is answered', async ({
  page,
  signedIn,
}) => {
  let isBusy = true
  await page.route('**/api/admin/dashboard*', (route) =>
    isBusy
      ? route.fulfill({
          status: 503,
          headers: { 'retry-after': '1' },
          json: { code: 'unavailable', message: SERVER_MESSAGE, error: SERVER_MESSAGE, requestId: 'none' },
        })
      : route.continue(),
  )
  await signedIn('superadmin')
  await navigate(page, '/dashboard')
  const bar = page.getByRole('status').filter({ hasText: 'The portal is busy. Trying again...' })
  await expect(bar).toBeVisible()
  isBusy = false
  await expect(bar).toBeHidden()
  await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
})

/** Delays a call until the test has checked the screen, then drops it. */
async function holdCall(page: Page, call: string, method: string) {
  const heldRoute = Promise.withResolvers<Route>()
  await page.route(`**/api${call}*`, (route) => {
    if (route.request().method() === method) heldRoute.resolve(route)
    else void route.continue()
  })
  return async (duringRequest?: () => Promise<void>) => {
    const route = await heldRoute.promise
    await duringRequest?.()
    await route.abort()
    await page.unroute(`**/api${call}*`)
  }
}

test('shows the specified sentence for a deletion or quota increase without an answer, and the server’s for a refused one', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const alert = page.getByRole('alert')

  await navigate(page, `/vm/deletelogs${QUERY}`)
  const search = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Delete Logs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Logs' }).click()
  }
  let dropCall = await holdCall(page, '/admin/logs', 'DELETE')
  await search()
  await dropCall(async () => {
    for (const button of await page.getByRole('button', { name: 'Deleting...' }).all())
      await expect(button).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Deleting...' })).not.toHaveCount(0)
  })
  await expect(alert).toHaveText('An error occurred while deleting logs.')
  await page.route('**/api/admin/logs', (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'conflict', message: SERVER_MESSAGE, error: SERVER_MESSAGE, requestId: 'none' },
    }),
  )
  await search()
  await expect(alert.last()).toHaveText(SERVER_MESSAGE)

  await navigate(page, `/vm/deletetraining${QUERY}`)
  dropCall = await holdCall(page, '/azure/killTraining', 'DELETE')
  await page.getByRole('main').getByRole('button', { name: 'Delete Training' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Linux 101')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Training' }).click()
  await dropCall(() => expect(page.getByRole('button', { name: 'Deleting...' }).first()).toBeDisabled())
  await expect(alert.last()).toHaveText('An error occurred while deleting the training. Please try again.')

  await navigate(page, `/vm/quota${QUERY}`)
  dropCall = await holdCall(page, '/admin/quota', 'POST')
  await page.getByLabel('Increase By (hours)').fill('2')
  await page.getByRole('button', { name: 'Increase Quota' }).click()
  await dropCall()
  await expect(alert.last()).toHaveText('Failed to update quota')
})

test('shows the specified sentence for lab users and sandboxes that could not be created or deleted', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const alert = page.getByRole('alert')
  await navigate(page, '/sandbox/azure/users')

  let dropCall = await holdCall(page, '/sandbox/user', 'POST')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Username').fill('nobody')
  await form.getByLabel('Personal Email').fill('nobody@home.test')
  await form.getByLabel('Duration (days)').fill('1')
  await form.getByRole('button', { name: 'Create' }).click()
  await dropCall()
  await expect(form.getByRole('alert')).toHaveText('Error creating user.')
  await form.getByRole('button', { name: 'Cancel' }).click()

  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
  dropCall = await holdCall(page, '/sandbox/user', 'DELETE')
  await page.getByRole('button', { name: 'Delete priya.nair@labs.test' }).click()
  await confirm.click()
  await dropCall()
  await expect(alert).toHaveText('Error deleting user.')

  dropCall = await holdCall(page, '/sandbox/azure', 'DELETE')
  await page
    .getByRole('button', { name: /^Delete .*-sandbox$/ })
    .first()
    .click()
  await confirm.click()
  await dropCall()
  await expect(alert.last()).toHaveText('Error deleting sandbox.')
})

test('shows a sandbox user that a sandbox is being created, has failed or does not exist, and why another cannot be created', async ({
  signedIn,
}) => {
  const page = await signedIn('sandboxuser')
  const alert = page.getByRole('alert')
  await navigate(page, '/sandbox/azure')
  const form = page.getByRole('region', { name: 'Create Sandbox' })

  let dropCall = await holdCall(page, '/sandbox/azure', 'POST')
  await form.getByLabel('Sandbox name').fill('x')
  await form.getByRole('button', { name: 'Create Sandbox' }).click()
  await dropCall(() => expect(form.getByRole('button', { name: 'Creating...' })).toBeDisabled())
  await expect(alert).toHaveText('Error creating sandbox. Please try again.')

  dropCall = await holdCall(page, '/sandbox/azure', 'DELETE')
  const card = page.getByRole('listitem', { name: /-sandbox$/ }).first()
  await card.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await dropCall(() => expect(card.getByRole('button', { name: 'Deleting...' })).toBeDisabled())
  await expect(alert.last()).toHaveText('Error deleting sandbox. Please try again.')

  await page.route('**/api/sandbox/azure', async (route) => {
    const account = (await (await route.fetch()).json()) as { credits: { total: number } }
    const { total } = account.credits
    await route.fulfill({ json: { ...account, sandbox: [], credits: { total, consumed: total } } })
  })
  await page.reload()
  await expect(page.getByText('No sandboxes available')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Create Sandbox' })).toBeDisabled()
})

test('a power command and a payment order without an answer show an error and change nothing', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const NO_REPLY = 'The portal did not answer. Check your connection and try again.'
  await navigate(page, '/vm/vmdetails?training=Containers+Workshop')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText(/Running|Stopped/)
  const [before, pending, command] = /Running/.test(await card.innerText())
    ? ([/Running/, /Stopping/, /^Power Off/] as const)
    : ([/Stopped/, /Starting/, /^Power On/] as const)
  let dropCall = await holdCall(page, '/azure/machines', 'PATCH')
  await card.getByRole('button', { name: command }).click()
  await dropCall(() => expect(card).toContainText(pending))
  await expect(page.getByRole('alert')).toHaveText(NO_REPLY)
  await expect(card).toContainText(before)
  await page.getByRole('button', { name: 'Close this message' }).click()

  await navigate(page, '/ledger/account')
  dropCall = await holdCall(page, '/admin/ledger/order', 'POST')
  await page.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a Payment' })
  await dialog.getByLabel('Amount (₹)').fill('10')
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  await dropCall()
  await expect(dialog.getByRole('alert')).toHaveText(NO_REPLY)
  await expect(page.locator('iframe')).toHaveCount(0)
})

test('shows the specified sentence for a success whose reply has no message', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const status = (text: string) => page.getByRole('status').filter({ hasText: text })
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Delete/ })
  const reply = (call: string, json: object) =>
    page.route(`**/api${call}*`, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ json }),
    )
  for (const call of [
    '/admin/logs',
    '/azure/killTraining',
    '/admin/quota',
    '/admin/capture',
    '/sandbox/user',
    '/sandbox/azure',
  ])
    await reply(call, {})
  await reply('/azure/machines', { waitMinutes: 7 })

  await navigate(page, `/vm/deletelogs${QUERY}`)
  await page.getByRole('main').getByRole('button', { name: 'Delete Logs' }).click()
  await confirm.click()
  await expect(status('Logs deleted successfully.')).toBeVisible()

  await navigate(page, `/vm/quota${QUERY}`)
  await page.getByLabel('Increase By (hours)').fill('2')
  await page.getByRole('button', { name: 'Increase Quota' }).click()
  await expect(status('Quota increased by 2 hours successfully!')).toBeVisible()

  await page.route('**/api/azure/machines/events?*', (route) => route.abort())
  await page.route('**/api/azure/machines?*', async (route) => {
    const machines = (await (await route.fetch()).json()) as object[]
    await route.fulfill({ json: machines.map((machine) => ({ ...machine, status: 'Stopped', isRunning: false })) })
  })
  await navigate(page, `/vm/vmdetails${QUERY}`)
  const cards = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(cards.first()).toContainText('Stopped')
  await cards.first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Snapshot' }).click()
  await expect(status('Creation of Image in Progress')).toBeVisible()
  await page
    .getByRole('group', { name: 'With the selected instances' })
    .getByRole('button', { name: 'Power On' })
    .click()
  await expect(status('VM Start in Process, Please wait for 10 secs before trying again')).toBeVisible()
  await page.unroute('**/api/azure/machines?*')

  await navigate(page, `/createvm${QUERY}`)
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  await page.getByLabel('Training Name').fill('Not ordered')
  await page.getByRole('textbox', { name: 'Email IDs' }).fill('asha@acme.test')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: 'Create 1 VM' }).click()
  await expect(status('VM Creation in Process, Please wait for 7 mins before trying again.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await navigate(page, '/sandbox/azure/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Username').fill('somebody')
  await form.getByLabel('Personal Email').fill('somebody@home.test')
  await form.getByLabel('Duration (days)').fill('1')
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(status('User created successfully!')).toBeVisible()
  const sandbox = page.getByRole('button', { name: /^Delete .*-sandbox$/ }).first()
  const name = (await sandbox.getAttribute('aria-label'))!.slice('Delete '.length)
  await sandbox.click()
  await confirm.click()
  await expect(status(`Sandbox ${name} deleted successfully!`)).toBeVisible()
  await page.getByRole('button', { name: 'Delete priya.nair@labs.test' }).click()
  await confirm.click()
  await expect(status('User priya.nair@labs.test deleted successfully!')).toBeVisible()

  await navigate(page, `/vm/deletetraining${QUERY}`)
  await page.getByRole('main').getByRole('button', { name: 'Delete Training' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Linux 101')
  await confirm.click()
  await expect(status('Training deleted successfully.')).toBeVisible()
})

test('shows the specified sentence for sandboxes whose reply has no body', async ({ signedIn }) => {
  const page = await signedIn('sandboxuser')
  await page.route('**/api/sandbox/azure', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 200, body: '' }),
  )
  await navigate(page, '/sandbox/azure')
  const form = page.getByRole('region', { name: 'Create Sandbox' })
  await form.getByLabel('Sandbox name').fill('x')
  await form.getByRole('button', { name: 'Create Sandbox' }).click()
  await expect(page.getByRole('status')).toHaveText('Request Sent, please wait 10 seconds and refresh!')
  await page
    .getByRole('listitem', { name: /-sandbox$/ })
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(
    page.getByRole('status').filter({ hasText: 'Deleted! Please wait 30 seconds and refresh.' }),
  ).toBeVisible()
})
