import type { Page, Route } from '@playwright/test'
import { goOn } from './go-on.ts'
import { expect, test } from './test.ts'

const OF = '?organization=Acme+Learning&training=Linux+101'
const SAID = 'The portal has too much to do.'

/**
 * Screens whose data can't be fetched: the call that fails, and the sentence of the catalogue, or else the server's.
 */
const UNFETCHED: readonly (readonly [screen: string, calls: readonly string[], sentence: string])[] = [
  [`/vm/billing${OF}`, ['/azure/billing'], 'Failed to fetch billing details.'],
  [`/vm/logs${OF}&vm=linux-101-1`, ['/azure/logs'], 'Failed to fetch logs.'],
  [`/vm/restriction${OF}`, ['/admin/myuser'], 'Failed to fetch training schedule'],
  ['/sandbox/azure/users', ['/sandbox/user'], 'Error fetching users.'],
  ['/sandbox/aws/users', ['/aws/user'], 'Error fetching users.'],
  [`/vm/vmdetails${OF}`, ['/azure/machines'], SAID],
  [`/vm/logs${OF}`, ['/azure/vmnames'], SAID],
  [`/vm/ports${OF}`, ['/azure/ports'], SAID],
  [`/vm/scheduler${OF}`, ['/azure/schedules'], SAID],
  [`/vm/class${OF}`, ['/azure/class'], SAID],
  [`/createvm${OF}`, ['/azure/templates'], SAID],
  [`/vm/quota${OF}`, ['/admin/quota'], SAID],
  ['/dashboard', ['/admin/dashboard'], SAID],
  ['/overview', ['/admin/organization', '/admin/users', '/admin/template', '/admin/assignTemplate'], SAID],
  [`/ledger/account${OF}`, ['/admin/ledger/accounts'], SAID],
  ['/ledger', ['/admin/ledger'], SAID],
]

// @covers R8.1 R9.2 R9.3 R9.5 R9.10
test('data that can not be fetched shows its sentence on every screen, breaks none, and can be fetched again', async ({
  page,
  signedIn,
}) => {
  const failing = new Set(UNFETCHED.flatMap(([, calls]) => calls))
  const failed = new Set<string>()
  const unsigned: string[] = []
  await page.route('**/api/**', async (route) => {
    const call = new URL(route.request().url()).pathname.slice('/api'.length)
    const { authorization, cookie } = await route.request().allHeaders()
    if (call !== '/user/login' && !(authorization?.startsWith('Bearer ') && cookie)) unsigned.push(call)
    if (!failing.has(call) || route.request().method() !== 'GET') return route.continue()
    failed.add(call)
    return route.fulfill({ status: 429, json: { code: 'tooMany', message: SAID, error: SAID, requestId: 'none' } })
  })
  await signedIn('superadmin')
  const main = page.getByRole('main')
  const heading = page.getByRole('heading', { level: 1 })
  for (const [screen, calls, sentence] of UNFETCHED) {
    const before = await heading.innerText()
    await goOn(page, screen)
    // The screen before may say the same, and stays until this one has come.
    await expect(heading, screen).not.toHaveText(before)
    await expect(main.getByRole('alert').filter({ hasText: sentence }).first(), screen).toContainText(sentence)
    for (const call of calls) await expect.poll(() => failed.has(call), call).toBe(true)
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billing History')
  failing.clear()
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Client Ledger' })).toBeVisible()
  // Each call has the session twice: as its bearer, and in the cookie.
  expect(unsigned).toEqual([])
})

/** Holds back the answer to a call until the test has looked at the screen meanwhile, and then drops it. */
async function unanswered(page: Page, call: string, method: string) {
  const held = Promise.withResolvers<Route>()
  await page.route(`**/api${call}*`, (route) => {
    if (route.request().method() === method) held.resolve(route)
    else void route.continue()
  })
  return async (meanwhile?: () => Promise<void>) => {
    const route = await held.promise
    await meanwhile?.()
    await route.abort()
    await page.unroute(`**/api${call}*`)
  }
}

// @covers R3.41 R9.6 R9.7
test('a deletion or an increase without an answer has its sentence, and one that is refused the server’s', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const alert = page.getByRole('alert')

  await goOn(page, `/vm/deletelogs${OF}`)
  const ask = async () => {
    await page.getByRole('main').getByRole('button', { name: 'Delete Logs' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Logs' }).click()
  }
  let breakOff = await unanswered(page, '/admin/logs', 'DELETE')
  await ask()
  await breakOff(async () => {
    for (const button of await page.getByRole('button', { name: 'Deleting...' }).all())
      await expect(button).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Deleting...' })).not.toHaveCount(0)
  })
  await expect(alert).toHaveText('An error occurred while deleting logs.')
  await page.route('**/api/admin/logs', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message: SAID, error: SAID, requestId: 'none' } }),
  )
  await ask()
  await expect(alert.last()).toHaveText(SAID)

  await goOn(page, `/vm/deletetraining${OF}`)
  breakOff = await unanswered(page, '/azure/killTraining', 'DELETE')
  await page.getByRole('main').getByRole('button', { name: 'Delete Training' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Linux 101')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Training' }).click()
  await breakOff(() => expect(page.getByRole('button', { name: 'Deleting...' }).first()).toBeDisabled())
  await expect(alert.last()).toHaveText('An error occurred while deleting the training. Please try again.')

  await goOn(page, `/vm/quota${OF}`)
  breakOff = await unanswered(page, '/admin/quota', 'POST')
  await page.getByLabel('Increase By (hours)').fill('2')
  await page.getByRole('button', { name: 'Increase Quota' }).click()
  await breakOff()
  await expect(alert.last()).toHaveText('Failed to update quota')
})

// @covers R9.11
test('lab users and sandboxes that could not be made or deleted have their sentences', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  const alert = page.getByRole('alert')
  await goOn(page, '/sandbox/azure/users')

  let breakOff = await unanswered(page, '/sandbox/user', 'POST')
  await page.getByRole('button', { name: 'Add User' }).click()
  const form = page.getByRole('dialog', { name: 'Add User' })
  await form.getByLabel('Username').fill('nobody')
  await form.getByLabel('Personal Email').fill('nobody@home.test')
  await form.getByLabel('Duration (days)').fill('1')
  await form.getByRole('button', { name: 'Create' }).click()
  await breakOff()
  await expect(form.getByRole('alert')).toHaveText('Error creating user.')
  await form.getByRole('button', { name: 'Cancel' }).click()

  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
  breakOff = await unanswered(page, '/sandbox/user', 'DELETE')
  await page.getByRole('button', { name: 'Delete priya.nair@labs.test' }).click()
  await confirm.click()
  await breakOff()
  await expect(alert).toHaveText('Error deleting user.')

  breakOff = await unanswered(page, '/sandbox/azure', 'DELETE')
  await page
    .getByRole('button', { name: /^Delete .*-sandbox$/ })
    .first()
    .click()
  await confirm.click()
  await breakOff()
  await expect(alert.last()).toHaveText('Error deleting sandbox.')
})

// @covers R3.42 R5.13 R5.14 R9.9 R10.6
test('a sandbox user reads that a sandbox is on its way, that it failed, that there is none, and why no more can be made', async ({
  signedIn,
}) => {
  const page = await signedIn('sandboxuser')
  const alert = page.getByRole('alert')
  await goOn(page, '/sandbox/azure')
  const form = page.getByRole('region', { name: 'Create Sandbox' })

  let breakOff = await unanswered(page, '/sandbox/azure', 'POST')
  await form.getByLabel('Sandbox name').fill('x')
  await form.getByRole('button', { name: 'Create Sandbox' }).click()
  await breakOff(() => expect(form.getByRole('button', { name: 'Creating...' })).toBeDisabled())
  await expect(alert).toHaveText('Error creating sandbox. Please try again.')

  breakOff = await unanswered(page, '/sandbox/azure', 'DELETE')
  const card = page.getByRole('listitem', { name: /-sandbox$/ }).first()
  await card.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await breakOff(() => expect(card.getByRole('button', { name: 'Deleting...' })).toBeDisabled())
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

// @covers R9.4
test('a power command and a payment order without an answer say so, and change nothing', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const silent = 'The portal did not answer. Check your connection and try again.'
  await goOn(page, '/vm/vmdetails?training=Containers+Workshop')
  const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
  await expect(card).toContainText(/Running|Stopped/)
  const [before, meanwhile, command] = /Running/.test(await card.innerText())
    ? ([/Running/, /Stopping/, /^Power Off/] as const)
    : ([/Stopped/, /Starting/, /^Power On/] as const)
  let breakOff = await unanswered(page, '/azure/machines', 'PATCH')
  await card.getByRole('button', { name: command }).click()
  await breakOff(() => expect(card).toContainText(meanwhile))
  await expect(page.getByRole('alert')).toHaveText(silent)
  await expect(card).toContainText(before)
  await page.getByRole('button', { name: 'Close this message' }).click()

  await goOn(page, '/ledger/account')
  breakOff = await unanswered(page, '/admin/ledger/order', 'POST')
  await page.getByRole('button', { name: 'Make a Payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a Payment' })
  await dialog.getByLabel('Amount (₹)').fill('10')
  await dialog.getByRole('button', { name: 'Continue to the checkout' }).click()
  await breakOff()
  await expect(dialog.getByRole('alert')).toHaveText(silent)
  await expect(page.locator('iframe')).toHaveCount(0)
})
