import type { Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { expect, NEW_PASSWORD, signIn, test } from './test.ts'
import { orderTraining } from './training.ts'

const main = (page: Page) => page.getByRole('main')
const h1 = (page: Page) => page.getByRole('heading', { level: 1 })

const LINK_TARGETS: Readonly<Record<string, string>> = {
  Organizations: 'System Admin Panel',
  'Active Users': 'System Admin Panel',
  'Azure Lab Enrollments': 'Control Center',
  'VM Deployment Templates': 'System Admin Panel',
  'Virtual Machines': 'Control Center',
  'Unpaid Invoices': 'Billing History',
  'Quota Exceeded': 'Home',
  'Azure Sandbox': 'Azure Lab Users',
  'AWS Sandbox': 'AWS Lab Users',
}

test('shows counts on the Control Center, and each card leads to the screen that lists them', async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await page.getByRole('link', { name: 'Control Center' }).click()
  await expect(h1(page)).toHaveText('Control Center')
  const azure = page.getByRole('region', { name: 'Azure Resource Summary' })
  for (const name of [
    'VM Deployment Templates',
    'Virtual Machines',
    'Unpaid Invoices',
    'Quota Exceeded',
    'Azure Sandbox',
  ])
    await expect(azure.getByText(name, { exact: true })).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'AWS Sandbox Summary' }).getByText('AWS Sandbox', { exact: true }),
  ).toBeVisible()
  for (const name of ['Organizations', 'Active Users', 'Azure Lab Enrollments'])
    await expect(main(page).getByText(name, { exact: true })).toBeVisible()

  const countOf = async (path: string, field: string) =>
    ((await (await page.request.get(`/api${path}`)).json()) as Record<string, unknown[]>)[field]!.length
  const card = (name: string) => main(page).getByRole('listitem').filter({ hasText: name }).first()
  await expect(card('Organizations')).toContainText(String(await countOf('/admin/organization', 'organization')))
  await expect(card('Active Users')).toContainText(String(await countOf('/admin/users', 'users')))
  await expect(card('VM Deployment Templates')).toContainText(String(await countOf('/admin/template', 'templates')))

  const running = page.getByRole('region', { name: 'Running Now' })
  await expect(running).toContainText(/\d+ machines? runs?, for ₹[\d,.]+ an hour/)
  await expect(running).toContainText(/Last 7 days: ₹[\d,.]+, .+ (than in|in|as in) the week before/)
  await running.getByRole('link', { name: 'Linux 101' }).first().click()
  await expect(h1(page)).toHaveText('Virtual Lab Console')
  await page.goBack()
  await expect(card('Organizations')).toBeVisible()

  const links = await main(page).getByRole('list').getByRole('link').allInnerTexts()
  expect(links.length).toBeGreaterThanOrEqual(6)
  for (const text of links) {
    const name = text.split('\n')[0]!
    await main(page).getByRole('link', { name }).click()
    await expect(h1(page)).toHaveText(LINK_TARGETS[name]!)
    await page.goBack()
    await expect(h1(page)).toHaveText('Control Center')
  }
})

test('shows a used-up quota on the Control Center and on Home, with a link to the training', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin')
  const reply = await page.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      organization: 'Globex Academy',
      templateName: 'Ubuntu 24.04 Starter',
      email: ['learner@globex.test'],
      trainingName: 'Short Budget',
      allocatedHours: 6,
      createVmCount: 1,
      guacamole: false,
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  const usedQuotas = page.getByRole('region', { name: 'Quotas used up' })
  // Checks without problems are summarised in one line; the others are panels with buttons.
  const passedChecks = page.getByRole('list', { name: 'Checks without problems' })
  for (const [kind, expectedText] of [
    ['Failing machines', 'No failing machines'],
    ['Unpaid', 'No unpaid balances'],
    ['Unclaimed cloud resources', 'No unclaimed cloud resources'],
  ] as const)
    await expect(page.getByRole('region', { name: kind }).or(passedChecks.getByText(expectedText))).toBeVisible()
  await navigate(page, '/vm/vmdetails?organization=Globex+Academy&training=Short+Budget')
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toContainText(/Running/)
  await portal.advanceClock(7 * 60)

  await page.goto('/dashboard')
  await main(page).getByRole('link', { name: 'Quota Exceeded' }).click()
  await expect(usedQuotas).toContainText('All allocated hours (0.1) are used.')
  await expect(usedQuotas).toContainText('Short Budget, Globex Academy')
  await usedQuotas
    .getByRole('link', { name: /^Increase the quota of Short Budget/ })
    .first()
    .click()
  await expect(h1(page)).toHaveText('Quota Assignment')
  await expect(page.getByLabel('Choose Lab Module')).toHaveValue('Short Budget')
})

test(
  'a learner finds their machine on Home, powers it off and on, and opens its console',
  { tag: '@storm' },
  async ({ signedIn, portal, browser }) => {
    // Separate learner: only a learner with a single machine sees the large panel.
    const email = 'alone@acme.test'
    const admin = await signedIn('superadmin')
    const created = await admin.request.post('/api/admin/users', {
      headers: { origin: portal.url },
      data: { email, password: NEW_PASSWORD, organization: 'Acme Learning', userType: 'user' },
    })
    expect(created.ok(), await created.text()).toBe(true)
    await orderTraining(admin, 'One Alone', [email], { guacamole: true })
    const page = await browser.newPage({ baseURL: portal.url })
    await signIn(page, email, NEW_PASSWORD)
    const instances = page.getByRole('list', { name: 'Instances of One Alone' }).getByRole('listitem')
    await expect(instances).toHaveCount(1)
    await expect(instances).toContainText(/Running/)
    await expect(instances).toContainText(/h left of \d+/)
    // The only machine has the whole screen: access button, time limits, and connection details.
    await expect(instances.getByRole('button', { name: /^Open in browser/ })).toBeEnabled()
    await expect(instances).toContainText('Ubuntu 24.04 LTS server')
    await expect(instances).toContainText('Access window')
    await expect(instances.getByRole('button', { name: /^Copy the connect with of/ })).toBeVisible()
    await expect(instances.getByText(/^in \d+ (d|h|min)/)).toBeVisible()
    await expect(instances).toContainText('its hours are used up.')
    await instances.getByRole('button', { name: /^Power Off/ }).click()
    await expect(instances).toContainText(/Stopped/)
    await instances.getByRole('button', { name: /^Power On/ }).click()
    await expect(instances).toContainText(/Running/)
    await page.getByRole('link', { name: 'Open the console of One Alone' }).click()
    await expect(h1(page)).toHaveText('Virtual Lab Console')
    await page.close()
  },
)

test('Home shows an admin the running machines, used hours and balance, with links to each', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const board = page.getByRole('table', { name: 'Trainings' })
  const trainings = board.getByRole('row').filter({ has: page.getByRole('link') })
  const line = trainings.filter({ hasText: 'Linux 101' })
  await expect(line).toContainText(/\d running/)
  await expect(line.getByRole('meter', { name: 'Hours used in Linux 101' })).toBeAttached()
  await expect(main(page)).toContainText(/\d of \d+ machines running/)
  const account = page.getByRole('region', { name: 'Account' })
  await expect(account).toContainText(/to be paid|paid ahead/)
  await expect(account.getByRole('link', { name: 'Open the account' })).toHaveAttribute('href', /\/ledger\/account/)
  await page.getByLabel('Search Trainings').fill('linux 101')
  await expect(trainings).toHaveCount(1)
  await page.getByLabel('Search Trainings').fill('')
  await board.getByRole('button', { name: 'Cost so far' }).click()
  await expect(trainings).not.toHaveCount(1)
  const costs = (await board.getByRole('link', { name: /so far/ }).allInnerTexts()).map((text) =>
    Number(text.replaceAll(/[^\d.]/g, '')),
  )
  expect(costs).toEqual(costs.toSorted((a, b) => b - a))
  await line.getByRole('link', { name: 'Usage and Billing Summary of Linux 101' }).click()
  await expect(h1(page)).toHaveText('Usage and Billing Summary')

  const figure = page.getByRole('figure', { name: 'Spent, planned and budget' })
  await figure.getByText('Figures as a table').click()
  // A heading and the days of the month, or the week ahead at its end.
  await expect(figure.getByRole('columnheader')).toHaveText([
    'Day',
    'Planned',
    'Spent',
    'Sum',
    'Planned sum',
    'Run time',
  ])
  const rows = figure.getByRole('row')
  await expect(rows.nth(28)).toBeVisible()
  expect(await rows.count()).toBeLessThanOrEqual(38)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  const isInView = async (page: Page, heading: string, table: string) => {
    const cell = page.getByRole('table', { name: table }).getByRole('columnheader', { name: heading })
    await expect(cell).toBeVisible()
    const box = (await cell.boundingBox())!
    return box.x >= 0 && box.x + box.width <= 390
  }

  test('cuts off no column of the users and logs', { tag: '@storm' }, async ({ signedIn }) => {
    const page = await signedIn('superadmin', '/overview')
    for (const heading of ['Email', 'Organization', 'User Type'])
      expect(await isInView(page, heading, 'User')).toBe(true)
    for (const heading of ['Template Name', 'OS', 'VM Size', 'Licence'])
      expect(await isInView(page, heading, 'Template')).toBe(true)
    await navigate(page, '/vm/logs?organization=Acme+Learning&training=Linux+101')
    await page.getByLabel('Instance', { exact: true }).selectOption({ index: 2 })
    for (const heading of ['Start Time', 'End Time', 'Duration (minutes)'])
      expect(await isInView(page, heading, 'Runs of')).toBe(true)
  })

  test('Home of an admin fits', async ({ signedIn }) => {
    const page = await signedIn('admin')
    await expect(page.getByRole('table', { name: 'Trainings' }).getByRole('link').first()).toBeVisible()
    expect(await main(page).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  })
})
