import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { expect, test } from './test.ts'
import { tintOf } from './tint.ts'

test("shows that logs are loading, then when a machine ran, in the organisation's time zone", async ({ signedIn }) => {
  const page = await signedIn('admin')
  const released = Promise.withResolvers<void>()
  await page.route('**/api/azure/logs?*', (route) => released.promise.then(() => route.continue()))
  await navigate(page, '/vm/logs?training=Linux+101')
  // A machine of a finished course: each of its runs has an end.
  const name = 'acme-linux-1'
  await page.getByLabel('Instance', { exact: true }).selectOption(name)
  await expect(page.getByRole('heading', { name: `Logs Explorer - ${name}`, exact: true })).toBeVisible()
  await expect(page.getByText('Loading...')).toBeVisible()
  released.resolve()
  const table = page.getByRole('table', { name: `Runs of ${name}` })
  await expect(table.getByRole('columnheader')).toHaveText(['Start Time', 'End Time', 'Duration (minutes)'])
  const TIMESTAMP = '\\d\\d:\\d\\d:\\d\\d, \\d\\d \\w{3,4} \\d{4}'
  await expect(table.getByRole('row').nth(1)).toHaveText(new RegExp(`^${TIMESTAMP}${TIMESTAMP}\\d+(\\.\\d+)?$`))
  await page.getByLabel('Instance', { exact: true }).selectOption('All machines')
  const all = page.getByRole('table', { name: 'Runs of all machines' })
  await expect(all.getByRole('row').filter({ hasText: name }).first()).toBeVisible()
  await expect(all.getByRole('row').filter({ hasText: 'acme-linux-2' }).first()).toBeVisible()
})

test('a pending start is green, a pending stop red, and a past one neither', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await navigate(page, '/vm/scheduler?training=Containers+Workshop')
  const table = page.getByRole('table', { name: 'Schedules' })
  const rowText = (action: string, status: string) =>
    table.getByRole('row').filter({ hasText: status }).getByText(action, { exact: true }).first()
  await expect(table.getByRole('row').nth(1)).toHaveText(/^\d\d\/\d\d\/\d{4}\d\d:\d\d(Start|Stop)(Pending|Completed)/)
  expect((await tintOf(rowText('Start', 'Pending'))).green).toBeGreaterThan(20)
  expect((await tintOf(rowText('Stop', 'Pending'))).red).toBeGreaterThan(20)
  const completedRow = table.getByRole('row').filter({ hasText: 'Completed' }).first()
  const { red, green } = await tintOf(completedRow.getByText(/^(Start|Stop)$/).first())
  expect(Math.max(red, green)).toBeLessThan(20)
  await expect(page.getByRole('list', { name: 'Next seven days' }).getByRole('listitem')).toHaveCount(7)
  await page.goto('/vm/scheduler?training=Linux+101')
  await page.getByRole('button', { name: 'Schedule the first task' }).click()
  await expect(page.getByRole('button', { name: 'Schedule All' })).toBeVisible()
})

test('a terminated machine shows its name and system, and no controls', async ({ signedIn }) => {
  const page = await signedIn('user')
  await navigate(page, '/vm/vmdetails?training=Linux+101')
  const table = page.getByRole('table', { name: 'Terminated Instances' })
  const row = table.getByRole('row').nth(1)
  await expect(row.getByRole('cell')).toHaveText([/^[a-z-]+-\d+$/, 'Linux'])
  await expect(row.locator('button, a, input')).toHaveCount(0)
})

test('web-based access is offered where it was ordered and the machine runs; other machines show why it is not', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const access = page.getByRole('button', { name: /^Web-based access to/ }).first()
  for (const [organization, why] of [
    ['Acme+Learning', null],
    ['Globex+Academy', /was ordered without browser access\.$/],
  ] as const) {
    await navigate(page, `/vm/vmdetails?organization=${organization}&training=Linux+101`)
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

test('cards of Azure lab users show credits and sandboxes, cards of AWS lab users show neither', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin')
  const cards = page.getByRole('region', { name: 'Users' }).getByRole('listitem')
  await navigate(page, '/sandbox/azure/users')
  await expect(cards.first()).toContainText('Credits')
  await expect(page.getByRole('list', { name: /^Sandboxes of/ })).not.toHaveCount(0)
  await navigate(page, '/sandbox/aws/users')
  await expect(cards.first()).toContainText('@aws.')
  await expect(page.getByRole('main').getByText('Credits')).toHaveCount(0)
  await expect(page.getByRole('list', { name: /^Sandboxes of/ })).toHaveCount(0)
})

test(
  'a screen whose request is never answered is shown after the time limit',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin')
    // Shorten the browser's time limits to a thirtieth.
    await page.evaluate(
      `{ const limit = AbortSignal.timeout; AbortSignal.timeout = (ms) => limit.call(AbortSignal, ms / 30) }`,
    )
    await page.route('**/api/azure/schedules*', () => {})
    await navigate(page, '/vm/scheduler?training=Linux+101')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Schedule Task')
    await expect(page.getByRole('button', { name: 'New Scheduled Event' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible()
  },
)

test('a late response does not move a button that the user may be pressing', async ({ signedIn }) => {
  const page = await signedIn('admin')
  await page.evaluate(
    `globalThis.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value })).observe({ type: 'layout-shift' })`,
  )
  for (const { screen, late, first, button } of [
    {
      screen: '/admin/organisation',
      late: '/admin/organization/billing',
      first: 'Save Profile',
      button: 'Choose Image',
    },
    { screen: '/admin/sign-in', late: '/admin/identity-provider', first: 'Save Security', button: 'Save Provider' },
  ]) {
    const released = Promise.withResolvers<void>()
    await page.route(`**/api${late}*`, (route) => released.promise.then(() => route.continue()))
    await navigate(page, `${screen}?training=Linux+101`)
    await expect(page.getByRole('button', { name: first })).toBeVisible()
    await waitForPaint(page)
    // Ignore shifts while the screen was loading: no button was in use.
    await page.evaluate('shift = 0')
    released.resolve()
    await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByText('Loading...')).toHaveCount(0)
    await waitForPaint(page)
    expect(await page.evaluate('shift'), screen).toBeLessThan(0.001)
  }
})
