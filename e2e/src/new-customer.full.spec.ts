import { axeProblems } from './axe.ts'
import { clicks } from './clicks.ts'
import { expect, test } from './test.ts'

test('a superadmin sets up a customer with three cards and an admin in eight clicks', async ({ signedIn, portal }) => {
  const page = await signedIn('superadmin')
  const counted = await clicks(page)
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  await page.getByRole('button', { name: 'New Customer' }).click()
  const dialog = page.getByRole('dialog', { name: /^New customer/ })
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText('Enter the name of the customer.')).toBeVisible()
  await dialog.getByLabel('Organization').fill('Umbrella Training')
  await dialog.getByRole('button', { name: 'Next' }).click()
  for (const card of ['Ubuntu 24.04 Starter', 'Ubuntu 24.04 Standard', 'Windows Server 2022 Large'])
    await dialog.getByRole('checkbox', { name: card }).click()
  expect(await axeProblems(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByLabel('Email of the first admin').fill('alice@umbrella.test')
  await dialog.getByRole('button', { name: 'Create Customer' }).click()
  await expect(
    page.getByText('Umbrella Training can order from 3 cards. alice@umbrella.test is invited as admin.'),
  ).toBeVisible()
  // Eight, and one that shows the missing name.
  expect(await counted()).toBe(9)
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
  const counted = await clicks(page)
  await page.getByRole('button', { name: 'Create VM Card' }).click()
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
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Template', exact: true })).toContainText('Ubuntu 24.04 Copy')
  // Six for a user: each of the two choices in a list takes two, which the test makes without the mouse.
  expect(await counted()).toBe(2)
})
