import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { spendingCapSentence } from '@trainyard/budgets/contract/budget-words.ts'
import { expect, menuOf, test } from './test.ts'
import { orderTraining } from './training.ts'

test('an admin sets a budget, sees the alert and the sentence on Home, and removes the budget', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  await menuOf(page).getByText('Usage and Billing Summary').click()
  await page.getByRole('link', { name: 'Budget', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Usage and Billing Summary, Budget')
  const row = page.getByRole('table', { name: 'Budgets of trainings' }).getByRole('row', { name: /Linux 101/ })
  await row.getByRole('button', { name: 'Edit budget of Linux 101' }).click()
  const dialog = page.getByRole('dialog', { name: 'Budget of Linux 101' })
  await dialog.getByRole('button', { name: 'Save the Budget' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Amount must be greater than zero')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await dialog.getByLabel('Amount (₹)').fill('1')
  await dialog.getByRole('button', { name: 'Save the Budget' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'The budget of Linux 101 is ₹1.00.' })).toBeVisible()
  const alert = page.getByRole('list', { name: 'Alerts' }).getByRole('alert')
  await expect(alert).toContainText('Budget of Linux 101: 100 % used')
  await expect(row).toContainText('₹1.00')

  await page.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('main').getByRole('alert').filter({ hasText: '100 % of' })).toContainText(
    '100 % of the budget of Linux 101 is used',
  )
  await page.getByRole('main').getByRole('link', { name: 'Budgets' }).click()
  await page.getByRole('button', { name: /^Dismiss: Budget of Linux 101/ }).click()
  await expect(page.getByRole('list', { name: 'Alerts' })).toBeHidden()
  await row.getByRole('button', { name: 'Delete budget of Linux 101' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Budget of Linux 101 removed.' })).toBeVisible()
})

test('a day of the chart opens its part of the bill, and the budget of the selected training comes first', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  await navigate(page, '/budgets?training=Linux+101')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText('Linux 101')
  await page.getByRole('region', { name: 'Linux 101' }).getByRole('button', { name: 'Set a Budget' }).click()
  const dialog = page.getByRole('dialog', { name: 'Budget of Linux 101' })
  await dialog.getByLabel('Amount (₹)').fill('2')
  await expect(dialog).toContainText(/₹[\d,]+ planned, ₹[\d,]+ credit left\./)
  await expect(dialog).toContainText(/With ₹[\d,]+ spent, this is ₹[\d,]+ over the budget of ₹2\./)
  await page.keyboard.press('Escape')
  const leave = page.getByRole('button', { name: /Leave|Discard/ })
  if (await leave.isVisible()) await leave.click()

  const chart = page.getByRole('figure', { name: 'Spent, planned and budget' })
  await chart.getByRole('button', { name: '90 days' }).click()
  await expect(page).toHaveURL(/range=90/)
  await chart.hover({ position: { x: 400, y: 150 } })
  await expect(chart).toContainText(/\d+ [A-Z][a-z]{2}: spent ₹/)
  await chart.getByText('Figures as a table').click()
  const row = chart
    .getByRole('row')
    .filter({ hasText: /₹[1-9]/ })
    .nth(2)
  const spent = await row.getByRole('cell').nth(1).innerText()
  await row.getByRole('button').click()
  const day = page.getByRole('dialog', { name: /^Cost of / })
  await expect(day.getByRole('paragraph').filter({ hasText: /^Total/ })).toContainText(spent)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
})

test(
  'keeps the other columns visible if the name of a training is one word of 100 characters',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin')
    const name = 'W'.repeat(100)
    await orderTraining(page, name, ['long@acme.test'])
    await navigate(page, '/budgets')
    const rows = page.getByRole('region', { name: 'Rows: Budgets of trainings' })
    await expect(rows.getByRole('row').filter({ hasText: name })).toBeVisible()
    await expect(rows.getByRole('columnheader', { name: 'Total spent' })).toBeVisible()
    expect(await rows.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  },
)

test(
  'a budget that stops machines disables Power On in an open console, with the reason, until it is raised',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin')
    await orderTraining(page, 'Capped', ['capped@acme.test'])
    await navigate(page, '/vm/vmdetails?training=Capped')
    const card = page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()
    await expect(card).toContainText('Running')

    const budgets = await page.context().newPage()
    await budgets.goto('/budgets')
    await budgets.getByRole('button', { name: 'Edit budget of Capped' }).click()
    const dialog = budgets.getByRole('dialog', { name: 'Budget of Capped' })
    await dialog.getByLabel('Amount (₹)').fill('0.01')
    await dialog.getByLabel('Stop machines at 100 %').check()
    await dialog.getByRole('button', { name: 'Save the Budget' }).click()
    await expect(card).toContainText('Stopped')
    const powerOn = card.getByRole('button', { name: /^Power On / })
    await expect(powerOn).toBeDisabled()
    await expect(powerOn).toHaveAccessibleDescription(spendingCapSentence('Capped'))
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
    await powerOn.click({ force: true })
    await powerOn.press('Enter')
    await expect(card).toContainText('Stopped')
    expect(sent).toEqual([])

    await budgets.getByRole('button', { name: 'Edit budget of Capped' }).click()
    await dialog.getByLabel('Amount (₹)').fill('5000')
    await dialog.getByRole('button', { name: 'Save the Budget' }).click()
    await expect(powerOn).toBeEnabled()
    await powerOn.click()
    await expect(card).toContainText('Running')
  },
)
