import type { Locator } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

/** Returns a function that clicks, and the number of its clicks. */
function counted() {
  const clicks = { count: 0 }
  const click = async (element: Locator) => {
    clicks.count += 1
    await element.click()
  }
  return { clicks, click }
}

test('a superadmin sets up a customer with three cards and an admin in at most ten clicks', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin')
  const { clicks, click } = counted()
  await click(page.getByRole('link', { name: 'System Admin Panel' }))
  await click(page.getByRole('button', { name: 'New Customer' }))
  const dialog = page.getByRole('dialog', { name: /^New customer/ })
  await click(dialog.getByRole('button', { name: 'Next' }))
  await expect(dialog.getByText('Enter the name of the customer.')).toBeVisible()
  await dialog.getByLabel('Organization').fill('Umbrella Training')
  await click(dialog.getByRole('button', { name: 'Next' }))
  for (const card of ['Ubuntu 24.04 Starter', 'Ubuntu 24.04 Standard', 'Windows Server 2022 Large'])
    await click(dialog.getByRole('checkbox', { name: card }))
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await click(dialog.getByRole('button', { name: 'Next' }))
  await dialog.getByLabel('Email of the first admin').fill('alice@umbrella.test')
  await click(dialog.getByRole('button', { name: 'Create Customer' }))
  await expect(
    page.getByText('Umbrella Training can order from 3 cards. alice@umbrella.test is invited as admin.'),
  ).toBeVisible()
  // The test clicked once more to see what is missing.
  expect(clicks.count - 1).toBeLessThanOrEqual(10)
  await expect(page.getByRole('table', { name: 'Assigned' }).getByRole('row', { name: /Umbrella/ })).toHaveCount(3)
  await expect.poll(async () => (await portal.mails()).some(({ to }) => to.includes('alice@umbrella.test'))).toBe(true)

  await page.getByRole('button', { name: 'Assign VM Card' }).click()
  const assign = page.getByRole('dialog', { name: 'Assign VM Card' })
  await assign.getByLabel('Organization').selectOption('Umbrella Training')
  await expect(assign.getByRole('checkbox', { name: 'Ubuntu 24.04 Starter' })).toHaveCount(0)
  for (const card of ['Windows 11 Developer', 'Ubuntu 24.04 Containers'])
    await assign.getByRole('checkbox', { name: card }).check()
  await assign.getByRole('button', { name: 'Assign 2 Cards' }).click()
  await expect(page.getByText('2 cards are assigned to Umbrella Training.')).toBeVisible()
})

test('a card is copied, and its cores and memory follow the size', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  const { clicks, click } = counted()
  await click(page.getByRole('button', { name: 'Create VM Card' }))
  const dialog = page.getByRole('dialog', { name: 'Create VM Card' })
  await dialog.getByLabel('Template Name').fill('Ubuntu 24.04 Copy')
  await dialog.getByLabel('Copy from').selectOption('Ubuntu 24.04 Starter')
  await expect(dialog.getByLabel('Location')).not.toHaveValue('')
  await expect(dialog.getByLabel('Template Name')).toHaveValue('Ubuntu 24.04 Copy')
  await dialog.getByLabel('Rate (rupees an hour)').fill('30')
  const size = dialog.getByLabel('VM Size', { exact: true })
  await expect(size.getByRole('option', { name: /^Standard_D4s_v4, 4 vCPU, 16 GB/ })).toBeAttached()
  await size.selectOption('Standard_D4s_v4')
  await expect(dialog.getByLabel('CPU')).toHaveValue('4 vCPU')
  await expect(dialog.getByLabel('Memory')).toHaveValue('16 GB')
  await click(dialog.getByRole('button', { name: 'Create', exact: true }))
  await expect(page.getByRole('table', { name: 'Template', exact: true })).toContainText('Ubuntu 24.04 Copy')
  // Each choice in a list takes two clicks.
  expect(clicks.count + 2 * 2).toBeLessThanOrEqual(8)
})
