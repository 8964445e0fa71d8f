import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'
import { inKolkata, orderTraining } from './training.ts'

/** Formats an instant for the form, without seconds: the result is up to a minute earlier. */
function dateAndTime(instant: Date): { date: string; time: string } {
  const { date, time } = inKolkata(instant)
  return { date: date.split('/').toReversed().join('-'), time }
}

test('plans a ready-by time, cancels one, starts the machines early, and counts them', async ({ signedIn, portal }) => {
  const page = await signedIn('admin')
  await orderTraining(page, 'Early birds', ['robin@acme.test', 'wren@acme.test'])
  await navigate(page, '/vm/ready?training=Early+birds')
  const section = page.getByRole('main')
  const scheduleButton = section.getByRole('button', { name: 'Schedule', exact: true })
  const lines = section.getByRole('list', { name: 'Times at which the machines must be ready' }).locator('> li')
  const plan = async ({ date, time }: { date: string; time: string }) => {
    await section.getByLabel('Ready on').fill(date)
    await section.getByLabel('Ready at').fill(time)
    await scheduleButton.click()
  }

  await scheduleButton.click()
  await expect(page.getByRole('alert')).toContainText('Choose a date and a time.')
  await plan(dateAndTime(portal.now()))
  await expect(page.getByRole('alert').last()).toContainText(/is in the past|is too soon/)
  await expect(lines).toHaveCount(0)

  const tomorrow = dateAndTime(new Date(portal.now().getTime() + 24 * 3_600_000))
  const inOneHour = dateAndTime(new Date(portal.now().getTime() + 3_600_000))
  await plan(tomorrow)
  await expect(lines).toHaveCount(1)
  await expect(page.getByText(`to be ready at ${tomorrow.time} on `)).toBeVisible()
  await plan(inOneHour)
  await expect(lines).toHaveCount(2)
  await expect(lines.nth(1)).toContainText(/2 to start at about \d\d:\d\d/)
  expect(await axeProblems(page)).toEqual([])
  await lines
    .nth(0)
    .getByRole('button', { name: `Cancel ready by ${tomorrow.time}` })
    .click()
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(inOneHour.time)

  // Wait until the machines accept sign-ins. Otherwise the machines would not answer during the hour by which the clock
  // advances, and would be shown as failing.
  const allReady = async () => {
    const reply = await page.request.get('/api/azure/machines', { params: { trainingName: 'Early birds' } })
    return ((await reply.json()) as { progress: object | null }[]).every(({ progress }) => progress === null)
  }
  await expect.poll(allReady).toBe(true)
  await portal.advanceClock(3_590)
  await expect(lines).toContainText('2 of 2 ready')
  await expect(section.getByRole('list', { name: 'Not ready' })).toBeHidden()
})

test('an order has a ready-by time; its machines cost nothing before, and the console and Class count them', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  test.slow(true, 'The machine is created only when its time has come.')
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  const { date, time } = dateAndTime(new Date(portal.now().getTime() + 3_600_000))
  await form.getByLabel('Training Name').fill('At nine')
  await form.getByLabel('Email IDs').fill('asha@acme.test,')
  await form.getByLabel('Ready at').fill(time)
  await form.getByRole('button', { name: 'Submit' }).click()
  await expect(form).toContainText('Choose both a day and a time, or neither.')
  await form.getByLabel('Ready on').fill(date)
  await form.getByRole('button', { name: 'Submit' }).click()
  const question = page.getByRole('dialog', { name: 'Create VMs' })
  await expect(question).toContainText(`to be ready at ${time} on `)
  await question.getByRole('button', { name: 'Create 1 VM' }).click()
  await expect(page.getByText(`The VMs will be ready at ${time}`)).toBeVisible()

  await navigate(page, '/vm/vmdetails?training=At+nine')
  const now = page.getByRole('region', { name: 'Ready by' })
  const machine = page.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await expect(machine).toContainText('Planned')
  await expect(machine).toContainText(new RegExp(`Ready \\w{3} \\d{1,2} \\w{3,4} ${time}`))
  await expect(now).toContainText(/1 to start at about \d\d:\d\d, by /)
  expect(await axeProblems(page)).toEqual([])
  await navigate(page, '/')
  // The next ready time may come from the previous test.
  const next = page.getByRole('region', { name: /^Next class: \w{3} \d{1,2} \w{3} \d\d:\d\d$/ })
  await expect(next).toContainText(/, \d seats?, (?:all checks passed|\d ready)/)
  await expect(next.getByText(/^\d of \d seats? ready$/)).toBeAttached()
  expect(await axeProblems(page)).toEqual([])
  const early = (await newPageAs('asha@acme.test')).getByRole('region', { name: 'At nine' })
  await expect(early.getByText('Next stop')).toBeVisible()
  await expect(early.getByText('Open at all times')).toHaveCount(0)
  await navigate(page, '/vm/vmdetails?training=At+nine')
  await portal.advanceClock(3_500)
  await expect(machine).toContainText('Running')
  await navigate(page, '/vm/class?training=At+nine')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console, Class')
  await expect(now).toContainText('1 of 1 ready')
})
