import type { Locator, Page } from '@playwright/test'
import { openPort } from './ports.ts'
import { expect, test } from './test.ts'

/** Records the changing requests to a path from now on, and delays them until `release` is called. */
async function delayRequests(page: Page, path: string) {
  const sent: string[] = []
  const released = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    sent.push(route.request().postData() ?? '')
    await released.promise
    await route.continue()
  })
  return { sent, release: () => released.resolve() }
}

/** Clicks twice before the screen can react. */
const clickTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

test('a double click on Delete deletes once', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/ports?training=Linux+101')
  await openPort(page, 8081)
  await page.getByRole('button', { name: 'Delete port 8081', exact: true }).click()
  const { sent, release: released } = await delayRequests(page, '**/api/azure/ports')
  await clickTwice(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }))
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled()
  released()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete port 8081', exact: true })).toHaveCount(0)
  expect(sent).toHaveLength(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a double click on Create creates once', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  await page.getByRole('button', { name: 'Create Organization' }).click()
  const form = page.getByRole('dialog', { name: 'Create Organization' })
  await form.getByRole('textbox').first().fill('Twice Clicked')
  const { sent, release: released } = await delayRequests(page, '**/api/**')
  await clickTwice(form.getByRole('button', { name: 'Create', exact: true }))
  await expect(form.getByRole('button', { name: 'Creating...' })).toBeDisabled()
  released()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('cell', { name: 'Twice Clicked' }).first()).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('a double click on Power On sends one request and shows no error', { tag: '@storm' }, async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/vmdetails?training=Linux+101')
  const cards = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  const running = cards.filter({ has: page.getByText('Running', { exact: true }) }).first()
  const name = await running.getByRole('heading').innerText()
  const machine = cards.filter({ has: page.getByRole('heading', { name, exact: true }) })
  await machine.getByRole('button', { name: `Power Off ${name}` }).click()
  await expect(machine).toContainText('Stopped')
  await page.getByLabel(`Select ${name}`).check()

  const { sent, release: released } = await delayRequests(page, '**/api/**')
  const powerOn = page
    .getByRole('group', { name: 'With the selected instances' })
    .getByRole('button', { name: 'Power On' })
  await clickTwice(powerOn)
  await expect(machine).toContainText('Starting')
  // The card already shows the effect of the first click.
  await powerOn.click()
  released()
  await expect(page.getByRole('status').filter({ hasText: 'VM Start in Process' })).toHaveCount(1)
  expect(sent).toHaveLength(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
