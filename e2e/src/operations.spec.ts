import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { inKolkata, orderTraining, setWindow } from './training.ts'

const queryOf = (training: string) => `?organization=Acme+Learning&training=${encodeURIComponent(training)}`
const SCREENS = {
  '/vm/ports': ['Networking (Ports)', 'Existing Ports'],
  '/vm/scheduler': ['Schedule Task', 'Instance Task Scheduler'],
} as const

for (const role of ['admin', 'superadmin'] as const) {
  test(`${role} sees the specified texts of ports, schedules and permissions`, async ({ signedIn }) => {
    const page = await signedIn(role)
    const query = role === 'admin' ? '?training=Windows+Administration' : queryOf('Windows Administration')
    for (const [path, [title, sectionTitle]] of Object.entries(SCREENS)) {
      await navigate(page, path)
      await expect(page.getByText('Please select a training from the sidebar.')).toBeVisible()
      await navigate(page, path + query)
      await expect(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
      await expect(page.getByRole('heading', { level: 2, name: sectionTitle, exact: true })).toBeVisible()
    }
    await navigate(page, `/vm/ports${query}`)
    await expect(page.getByText('No open ports')).toBeVisible()
    await navigate(page, '/vm/restriction')
    await expect(page.getByText('Please select a training first.')).toBeVisible()
    await navigate(page, '/vm/restriction?training=Nowhere&organization=Acme+Learning')
    await expect(page.getByText('Failed to fetch training schedule')).toBeVisible()
    let answer = () => {}
    const released = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/admin/myuser?*', (route) => released.then(() => route.continue()))
    await page.goto(`/vm/restriction${query}`)
    await expect(page.getByText('Loading training details...')).toBeVisible()
    answer()
    await expect(page.getByText('No restrictions found for this training.')).toBeVisible()
  })
}

test('opens and closes a port at the provider', async ({ signedIn, portal }) => {
  const page = await signedIn('admin', '/vm/ports?training=Linux+101')
  const table = page.getByRole('table', { name: 'Existing Ports' })
  await page.getByRole('button', { name: 'Open Port' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open Port' })
  await dialog.getByRole('button', { name: 'Save Port' }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await dialog.getByLabel('Port Number').fill('70000')
  await dialog.getByLabel('Port Number').press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Enter a whole number from 1 to 65535.')
  await dialog.getByLabel('Port Number').fill('8443')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Save Port' }).click()
  expect((await sent).postDataJSON()).toEqual({
    trainingName: 'Linux 101',
    port: 8443,
    priority: 1001,
    protocol: 'TCP and UDP',
  })
  await expect(table.getByRole('row', { name: '8443' })).toBeVisible()
  await expect(page.getByText('Applied on every machine of the training.')).toBeVisible()
  expect(await portal.openPorts()).toContain('8443')

  await page.getByRole('button', { name: 'Delete port 8443' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('No open ports')).toBeVisible()
  await expect.poll(() => portal.openPorts()).not.toContain('8443')
})

test('plans a schedule, which fires and shows its result', async ({ signedIn, portal }) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Timetable', ['vikram@acme.test'])
  await navigate(page, '/vm/scheduler?training=Timetable')
  await expect(page.getByRole('heading', { name: 'New Scheduled Event' })).toHaveCount(0)
  await page.getByRole('button', { name: 'New Scheduled Event' }).click()
  const form = page.getByRole('region', { name: 'New Scheduled Event' })
  await expect(form).toContainText('Asia/Kolkata')
  await form.getByRole('button', { name: 'Schedule Operation' }).click()
  await expect(page.getByRole('alert')).toHaveText('Please select at least one date and time')
  await form.getByRole('button', { name: 'Schedule All' }).click()
  await expect(page.getByRole('alert').last()).toHaveText('No schedules to submit')

  const closing = new Date(portal.now().getTime() + 4 * 60_000)
  const closingTime = inKolkata(closing)
  const day = form.getByRole('button', { name: closingTime.day, exact: true })
  if ((await day.count()) === 0) await form.getByRole('button', { name: 'Next month' }).click()
  await day.click()
  for (const action of ['Power On', 'Shut Down', 'Shut Down']) {
    await form.getByText(action, { exact: true }).first().click()
    await form.getByLabel('Trigger Time').fill(closingTime.time)
    await form.getByRole('button', { name: 'Schedule Operation' }).click()
  }
  const pending = form.getByRole('list', { name: 'Pending Schedules' }).getByRole('listitem')
  await expect(pending).toHaveCount(2)
  await form.getByRole('button', { name: `Remove Power On on ${closingTime.date} at ${closingTime.time}` }).click()
  await expect(pending).toHaveCount(1)
  await form.getByLabel('Disable End-User Access').check()
  await form.getByLabel('Access Window Start').fill('00:00')
  await form.getByLabel('Access Window End').fill('23:59')
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await form.getByRole('button', { name: 'Schedule All' }).click()
  await expect(form).toHaveCount(0)

  const row = page.getByRole('table', { name: 'Schedules' }).getByRole('row').nth(1)
  await expect(row).toContainText(`${closingTime.date}${closingTime.time}StopPending`)
  await portal.advanceClock(5 * 60)
  await expect(row).toContainText('Completed')
  await expect(row).toContainText('1 acted on, 0 skipped, 0 failed')
  await page.getByRole('link', { name: 'Virtual Lab Console' }).click()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toContainText(/Stopped/)
  await page.getByRole('link', { name: 'User Permissions' }).click()
  await expect(page.getByRole('main')).toContainText(/Login Start\s*00:00\s*Login Stop\s*23:59/)
})

test('outside the access window, a learner sees when it opens and gets a calendar file, and no call is refused', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const admin = await signedIn('admin')
  const timeIn = (hours: number) => inKolkata(new Date(portal.now().getTime() + hours * 3_600_000)).time
  // Calculated once: the minute can change before the page shows it.
  const start = timeIn(2)
  await setWindow(admin, 'Linux 101', [start, timeIn(3)])
  const page = await newPageAs(DEMO_USERS.user)
  await page.clock.install({ time: portal.now() })
  await page.goto('about:blank')
  const refused: string[] = []
  page.on('response', (reply) => reply.status() >= 400 && refused.push(`${reply.status()} ${reply.url()}`))
  await page.goto('/')
  const training = page.getByRole('region', { name: 'Linux 101' })
  const opening = training.getByRole('heading', { name: /^Opens \w{3} \d\d:\d\d$/ })
  await expect(opening).toContainText(start)
  await expect(training).toContainText(/Opens in (2 h|1 h \d+ min); this page opens then/)
  const saving = page.waitForEvent('download')
  await training.getByRole('button', { name: 'Calendar file' }).click()
  expect((await saving).suggestedFilename()).toBe('Linux 101.ics')
  await page.clock.runFor(60_000)
  for (const path of ['/vm/vmdetails', '/vm/billing', '/vm/logs']) {
    await page.goto(`${path}?training=Linux+101`)
    await expect(page.getByRole('heading', { name: /^Opens \w{3} \d\d:\d\d$/ }), path).toBeVisible()
    await page.clock.runFor(60_000)
  }
  const listed = await admin.request.get('/api/azure/machines', { params: { trainingName: 'Linux 101' } })
  const machines = (await listed.json()) as { name: string; email: string; isAlive: boolean }[]
  const own = machines.find(({ email, isAlive }) => isAlive && email === DEMO_USERS.user)!
  await page.goto(`/remote#/?username=${own.name}`)
  await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible()
  await page.clock.runFor(60_000)
  await page.goto('/vm/ports?training=Linux+101')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permission Error')
  await page.clock.runFor(60_000)
  expect(refused).toEqual([])
  await page.goto('/')
  await expect(opening).toBeVisible()

  // The page notices that the instructor opens the training.
  const opened = await admin.request.post('/api/azure/class/extension', {
    headers: { origin: new URL(admin.url()).origin },
    data: { trainingName: 'Linux 101', open: true },
  })
  expect(opened.ok(), await opened.text()).toBe(true)
  await page.clock.runFor(60_000)
  await expect(training.getByRole('list', { name: 'Instances of Linux 101' })).toBeVisible()
  await expect(opening).toHaveCount(0)
  expect(refused).toEqual([])
  await setWindow(admin, 'Linux 101', null)
})

test(
  'a learner outside the access window sees on every screen when it opens',
  { tag: '@storm' },
  async ({ signedIn, newPageAs, portal }) => {
    const admin = await signedIn('admin')
    await orderTraining(admin, 'Night Class', ['meera@acme.test'])
    const { time } = inKolkata(new Date(portal.now().getTime() + 6 * 3_600_000))
    const window: [string, string] = [time, `${time.slice(0, 3)}${time.endsWith('59') ? '58' : '59'}`]
    const learner = await newPageAs('meera@acme.test', '/vm/vmdetails?training=Night+Class')
    await expect(learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toContainText(/Running/)
    await setWindow(admin, 'Night Class', window)
    await expect(learner.getByRole('heading', { name: /^Opens \w{3} \d\d:\d\d$/ })).toBeVisible()
    await expect(learner.getByRole('list', { name: 'Instances' })).toHaveCount(0)
    for (const path of ['/vm/vmdetails', '/vm/billing', '/vm/logs']) {
      await learner.goto(`${path}?training=Night+Class`)
      await expect(learner.getByRole('heading', { name: /^Opens \w{3} \d\d:\d\d$/ })).toBeVisible()
      await expect(
        learner.getByText(`Access to this training is open from ${window[0]} to ${window[1]}.`),
      ).toBeVisible()
      await expect(learner.getByText(/Opens in [56] h/)).toBeVisible()
    }

    // Close two hours later, and open only on the weekday three days later.
    const opensAt = new Date(portal.now().getTime() + (6 + 3 * 24) * 3_600_000)
    const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'Asia/Kolkata' }).format(opensAt)
    await navigate(admin, '/vm/restriction?training=Night+Class')
    const days = admin.getByRole('group', { name: 'Days of the week' })
    for (const each of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']) {
      await days.getByText(each, { exact: true }).click()
    }
    await expect(admin.getByRole('alert')).toHaveText('Choose at least one day of the week.')
    await days.getByText(day, { exact: true }).click()
    const closing = inKolkata(new Date(portal.now().getTime() + 8 * 3_600_000)).time
    await admin.getByLabel('Closes at').fill(closing)
    await admin.getByRole('button', { name: 'Change hours' }).click()
    await expect(admin.getByRole('main')).toContainText(`Login Stop${closing}`)
    await expect(admin.getByText(/: opens in 3 d [56] h/)).toContainText(`On ${day}, in the zone Asia/Kolkata`)
    await waitForPaint(admin)
    expect(await axeProblems(admin)).toEqual([])
    await learner.reload()
    await expect(learner.getByText(`from ${window[0]} to ${closing} on ${day}.`)).toBeVisible()
    await expect(learner.getByText(/Opens in 3 d [56] h/)).toBeVisible()
  },
)

test('a superadmin increases the quota of a training', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/vm/quota')
  await expect(page.getByText('Please select a training from the sidebar.')).toBeVisible()
  await navigate(page, `/vm/quota${queryOf('Linux 101')}`)
  await expect(page.getByRole('heading', { name: 'Increase Training Quota' })).toBeVisible()
  await expect(page.getByText(/^\d+\.\d\d%$/).last()).toBeVisible()
  const total = page.getByText(/^Total quota/).locator('xpath=following-sibling::dd')
  const before = Number.parseFloat(await total.innerText())
  const field = page.getByLabel('Increase By (hours)')
  await field.fill('-1')
  await field.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Please enter a valid positive number.')
  await field.fill('1.5')
  await expect(page.getByRole('status', { name: 'Updated Quota' })).toHaveText(`${before + 1.5} hours`)
  await field.press('Enter')
  await expect(page.getByText('Quota increased by 1.5 hours successfully!')).toBeVisible()
  await expect(total).toHaveText(`${before + 1.5} hours`)

  await page.goto(`/vm/quota${queryOf('Windows Administration')}`)
  await page.getByLabel('Increase By (hours)').fill('1')
  await page.getByRole('button', { name: 'Increase Quota' }).click()
  await expect(page.getByRole('alert')).toContainText('Failed to update quota')
})

test('deletes logs after a warning, and the log screens are empty', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/vm/deletelogs')
  await expect(page.getByRole('button', { name: 'Delete Logs' })).toBeDisabled()
  await navigate(page, `/vm/logs${queryOf('Windows Administration')}`)
  await page.getByLabel('Instance', { exact: true }).selectOption({ index: 1 })
  await expect(page.getByRole('table')).toBeVisible()
  await page.getByRole('link', { name: 'Logs Cleanup' }).click()
  await expect(page.getByRole('list', { name: 'What is deleted' })).toContainText('2 machines')
  await page.getByRole('button', { name: 'Delete Logs' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Logs' }).click()
  await expect(page.getByText('Logs deleted successfully.')).toBeVisible()
  await page.getByRole('link', { name: 'Session Logs' }).click()
  await page.getByLabel('Instance', { exact: true }).selectOption({ index: 1 })
  // Before the next poll, which comes after 30 s.
  await expect(page.getByText('No activity logs found for the selected instance')).toBeVisible({ timeout: 15_000 })
})

test('removes a lab course, which leaves the picker without a reload', { tag: '@storm' }, async ({ signedIn }) => {
  const page = await signedIn('superadmin')
  await orderTraining(page, 'Short Course', ['asha@acme.test', 'vikram@acme.test'])
  await navigate(page, '/vm/deletetraining?organization=Acme+Learning')
  await expect(page.getByRole('button', { name: 'Delete Training' })).toBeDisabled()
  await page.getByLabel('Choose Lab Module').selectOption('Short Course')
  await expect(page.getByRole('list', { name: 'What is deleted' })).toContainText(
    '2 machines, all running, are deleted',
  )
  await page.getByRole('button', { name: 'Delete Training' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove Short Course' })
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete Training' }).click()
  await expect(dialog).toContainText('Type Short Course to confirm.')
  await dialog.getByRole('textbox').fill('Short Course')
  await dialog.getByRole('button', { name: 'Delete Training' }).click()
  await expect(page.getByText('Training deleted successfully.')).toBeVisible()
  await expect(page.getByLabel('Choose Lab Module').getByRole('option', { name: 'Short Course' })).toHaveCount(0)
  await expect(page.getByText('All its machines are deleted.')).toBeVisible()
  await page.getByRole('link', { name: 'See its terminated machines in the Virtual Lab Console' }).click()
  await expect(page.getByText('You do not have any Instances')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Terminated Instances' }).getByRole('row')).toHaveCount(3)
})
