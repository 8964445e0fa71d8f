import { formatRupees } from '@trainyard/platform/contract/words/money.ts'
import { axeProblems } from './axe.ts'
import { clicks } from './clicks.ts'
import { waitForPaint } from './screens.ts'
import { expect, menuOf, signIn, test } from './test.ts'

const LEARNERS = ['nila@acme.test', 'ravi@acme.test', 'tara@acme.test'] as const
const TRAINING = 'Kubernetes Basics'
const CARD = 'Ubuntu 24.04 Starter'
/** Rupees per hour. */
const RATE = 9.5

test('an admin orders, a learner accepts the invitation and powers the machine, and the bill is correct to the paisa', async ({
  signedIn,
  portal,
  browser,
}) => {
  const admin = await signedIn('admin')
  const consoleUrl = `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`

  await test.step('three machines are ordered', async () => {
    const counted = await clicks(admin)
    await menuOf(admin).getByText('Provision New Instance', { exact: true }).click()
    await admin.getByRole('button', { name: CARD }).click()
    const form = admin.getByRole('dialog', { name: 'Order VMs' })
    await form.getByLabel('Training Name').fill(TRAINING)
    await form.getByRole('textbox', { name: 'Email IDs' }).fill(LEARNERS.join(' '))
    await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
    await form.getByRole('textbox', { name: 'Email IDs' }).fill('no-address')
    await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
    await expect(form.getByRole('button', { name: 'Remove no-address, which is invalid' })).toBeVisible()
    await form.getByLabel('Allocated Hours').fill('40')
    await form.getByLabel('Browser Based VM Access').click()
    const quote = form.getByRole('region', { name: 'Cost of this order' })
    await expect(quote).toContainText(`3 VMs, per hour while running${formatRupees(3 * (RATE + 5))}`)
    await expect(quote).toContainText(`For the 40 hours allocated to each${formatRupees(3 * 40 * (RATE + 5))}`)
    await expect(quote).toContainText('Credit left₹')
    await form.getByRole('button', { name: 'Submit' }).click()
    const question = admin.getByRole('dialog', { name: 'Create VMs' })
    await expect(question).toContainText(`3 VMs of ${CARD} will be created for the training ${TRAINING}`)
    await expect(question).toContainText(`one for each e-mail: ${LEARNERS.join(', ')}.`)
    await expect(question).toContainText('1 entry is not a valid e-mail and gets no VM: no-address.')
    await question.getByRole('button', { name: 'Create 3 VMs' }).click()
    await expect(form).toContainText(/VM Creation in Process, Please wait for \d+ mins before trying again\./)
    // Four, and one for the optional browser access.
    expect(await counted()).toBe(5)
  })

  const cards = admin.getByRole('list', { name: 'Instances' }).getByRole('listitem')
  await test.step('the machines run, without a reload of the screen', async () => {
    await admin.getByRole('link', { name: `Watch ${TRAINING} in the Virtual Lab Console` }).click()
    await expect(cards).toHaveCount(3)
    for (const card of await cards.all()) await expect(card).toContainText('Running')
    await expect(admin.getByText('No dead VMs')).toBeVisible()
  })

  const learnerContext = await browser.newContext({ baseURL: portal.url })
  const learner = await learnerContext.newPage()
  await test.step('a learner accepts the invitation and sees one machine', async () => {
    let link: string | undefined
    await expect
      .poll(async () => {
        const mail = (await portal.mails()).find(({ to }) => to.includes(LEARNERS[0]))
        link = mail?.text.match(/https?:\/\/\S+/)?.[0]
        return link
      })
      .toBeDefined()
    await learner.goto(link!)
    const set = learner.getByRole('button', { name: 'Set password and continue' })
    const password = learner.getByLabel('New password')
    await password.pressSequentially('short')
    await set.click()
    await expect(password).toBeFocused()
    await expect(password).toHaveAccessibleDescription('Choose a password of at least 8 characters.')
    await password.fill('a-long-enough-Password-1')
    await set.click()
    await expect(learner.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await learner.goto(consoleUrl)
    await expect(learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')).toHaveCount(1)
  })

  await test.step('the learner stops and starts the machine, and both screens follow', async () => {
    const ownInstances = learner.getByRole('list', { name: 'Instances' }).getByRole('listitem')
    const name = await ownInstances.getByRole('heading').innerText()
    const seenByAdmin = cards.filter({ hasText: name })
    await ownInstances.getByRole('button', { name: `Power Off ${name}` }).click()
    await expect(learner.getByText('VM Stop in Process, Please wait for 10 secs before trying again')).toBeVisible()
    await expect(seenByAdmin).toContainText('Stopped')
    await ownInstances.getByRole('button', { name: `Power On ${name}` }).click()
    await expect(learner.getByText('VM Start in Process, Please wait for 10 secs before trying again')).toBeVisible()
    await expect(seenByAdmin).toContainText('Running')

    await learner.goto(`/vm/logs?training=${encodeURIComponent(TRAINING)}&vm=${encodeURIComponent(name)}`)
    await expect(learner.getByRole('heading', { name: `Logs Explorer - ${name}` })).toBeVisible()
    await expect(learner.getByRole('table', { name: `Runs of ${name}` })).toContainText('Running')
  })

  await test.step('after two hours and a bit all are stopped, and the bill is the provider’s record times the rate', async () => {
    await portal.advanceClock(2 * 3600 + 421)
    await admin.getByRole('button', { name: 'Bulk Select' }).click()
    await admin
      .getByRole('group', { name: 'With the selected instances' })
      .getByRole('button', { name: 'Power Off' })
      .click()
    await expect(admin.getByText('VM Stop in Process, Please wait for 30 secs before trying again')).toBeVisible()
    for (const card of await cards.all()) await expect(card).toContainText('Stopped')

    const names = await cards.getByRole('heading').allInnerTexts()
    const machines = (await portal.machines()).filter(({ name }) => names.includes(name))
    expect(machines).toHaveLength(3)
    for (const { billedSeconds } of machines) expect(billedSeconds).toBeGreaterThanOrEqual(2 * 3600 + 421)
    const templates = await admin.request.get('/api/azure/templates?organization=Acme%20Learning')
    const { templates: list } = (await templates.json()) as { templates: { name: string; rate: number }[] }
    const { rate } = list.find(({ name }) => name === CARD)!

    await admin.getByRole('link', { name: 'Usage and Billing Summary' }).click()
    const bill = admin.getByRole('region', { name: 'Usage Cost Estimate' })
    await expect(bill).toContainText(
      billOf(
        machines.map((machine) => machine.billedSeconds),
        rate + 5,
      ),
    )
    await expect(admin.getByRole('region', { name: 'Compute Instance Summary' })).toContainText(/Total\s*3/)
  })
  await learnerContext.close()
})

test('an order first names the learners who already have a machine, with the cost, and can leave them out', async ({
  signedIn,
}) => {
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: CARD }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  const emails = form.getByRole('textbox', { name: 'Email IDs' })
  await form.getByLabel('Training Name').fill('Linux 101')
  await emails.fill('asha@acme.test learner@acme.test')
  await emails.press('Enter')
  await emails.pressSequentially('New One <new.one@acme.test>, "Two, New" <new.two@acme.test>,')
  await expect(form.getByRole('list', { name: 'Email IDs added' }).getByRole('listitem')).toHaveText([
    'asha@acme.test',
    'learner@acme.test',
    'New One new.one@acme.test',
    'New Two new.two@acme.test',
  ])
  await form.getByLabel('Allocated Hours').fill('10')
  await form.getByRole('button', { name: 'Submit' }).click()

  const question = page.getByRole('dialog', { name: 'Create VMs' })
  const cost = question.getByRole('region', { name: 'Cost of these VMs' })
  await expect(question).toContainText(`4 VMs of ${CARD} will be created for the training Linux 101`)
  await expect(question).toContainText(
    'asha@acme.test, learner@acme.test, New One <new.one@acme.test>, New Two <new.two@acme.test>.',
  )
  await expect(question.getByRole('status').filter({ hasText: 'already' })).toHaveText(
    '2 learners have a machine in Linux 101 already: asha@acme.test, learner@acme.test.',
  )
  await expect(cost).toContainText(`Per hour while all run${formatRupees(4 * RATE)}`)
  await expect(cost).toContainText(`For the 10 hours allocated to each${formatRupees(40 * RATE)}`)
  await question.getByLabel('Leave these learners out').check()
  await expect(question).toContainText(
    '2 learners have a machine already and get no VM: asha@acme.test, learner@acme.test.',
  )
  await expect(question).toContainText(`2 VMs of ${CARD} will be created for the training Linux 101`)
  await expect(cost).toContainText(`For the 10 hours allocated to each${formatRupees(20 * RATE)}`)
  await waitForPaint(page)
  expect(await axeProblems(page)).toEqual([])
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('machines'))
  await question.getByRole('button', { name: 'Create 2 VMs' }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    email: ['new.one@acme.test', 'new.two@acme.test'],
    names: [
      { email: 'new.one@acme.test', name: 'New One' },
      { email: 'new.two@acme.test', name: 'Two, New' },
    ],
    createVmCount: 2,
  })
  await expect(form).toContainText(/VM Creation in Process/)
})

test('an order beyond the credit limit needs a confirmation', async ({ signedIn }) => {
  const page = await signedIn('admin', '/createvm')
  await page.getByRole('button', { name: CARD }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await form.getByLabel('Training Name').fill('Far too long')
  await form.getByRole('textbox', { name: 'Email IDs' }).fill('beyond@acme.test')
  await form.getByLabel('Allocated Hours').fill('8784')
  await form.getByLabel('Browser Based VM Access').check()
  await form.getByRole('button', { name: 'Submit' }).click()

  const question = page.getByRole('dialog', { name: 'Create VMs' })
  await expect(question).toContainText('For the 8,784 hours allocated to each')
  const create = question.getByRole('button', { name: 'Create 1 VM' })
  const tick = question.getByLabel('Order beyond the credit limit')
  await expect(tick).toHaveAccessibleDescription(/^This exceeds the remaining credit of Acme Learning by ₹.*\.$/)
  await expect(create).toBeDisabled()
  await expect(create).toHaveAccessibleDescription('Tick the box to exceed the credit limit.')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await create.click({ force: true })
  expect(sent).toEqual([])
  await tick.check()
  await expect(create).toBeEnabled()
})

test(
  'an order waits for the remaining credit, and needs a confirmation if it cannot be loaded',
  { tag: '@storm' },
  async ({ signedIn }) => {
    const page = await signedIn('admin')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/api\/azure\/outlook/, async (route) => {
      await released
      await route.abort()
    })
    await page.goto('/createvm')
    await page.getByRole('button', { name: CARD }).click()
    const form = page.getByRole('dialog', { name: 'Order VMs' })
    await form.getByLabel('Training Name').fill('Nobody knows')
    await form.getByRole('textbox', { name: 'Email IDs' }).fill('unknown@acme.test')
    await form.getByLabel('Allocated Hours').fill('8784')
    await form.getByRole('button', { name: 'Submit' }).click()
    const question = page.getByRole('dialog', { name: 'Create VMs' })
    const create = question.getByRole('button', { name: 'Create 1 VM' })
    await expect(create).toHaveAccessibleDescription('Checking the remaining credit.')
    await expect(create).toBeDisabled()
    release()
    const tick = question.getByLabel('Order beyond the credit limit')
    await expect(tick).toHaveAccessibleDescription('Could not check the remaining credit of Acme Learning.')
    await expect(create).toBeDisabled()
    await tick.check()
    await expect(create).toBeEnabled()
  },
)

test('an invitation works once', async ({ portal, page, signedIn }) => {
  await signedIn('admin')
  const reply = await page.request.post('/api/azure/machines', {
    headers: { origin: portal.url },
    data: {
      templateName: CARD,
      email: ['once@acme.test'],
      trainingName: 'Once',
      allocatedHours: null,
      createVmCount: 1,
      guacamole: false,
    },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  let link = ''
  await expect
    .poll(async () => {
      const mail = (await portal.mails()).find(({ to }) => to.includes('once@acme.test'))
      link = mail?.text.match(/https?:\/\/\S+/)?.[0] ?? ''
      return link
    })
    .not.toBe('')
  // Use a browser without a session, because signing in again would end the session that other tests reuse. Leave the
  // open page first: without its session it would redirect to the login page.
  await page.goto('about:blank')
  await page.context().setStorageState({ cookies: [], origins: [] })
  await page.goto(link)
  await page.getByLabel('New password').fill('a-long-enough-Password-1')
  await page.getByRole('button', { name: 'Set password and continue' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.goto('/logout')
  await expect(page).toHaveURL(/\/login/)
  await page.goto(link)
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('New password')).toBeHidden()
  await signIn(page, 'once@acme.test', 'a-long-enough-Password-1')
})

/**
 * Returns the cost of the given seconds as shown on screen: each machine rounded half up to the paisa once, then
 * summed. Calculated independently with integers, so that the portal's own arithmetic is tested.
 * @param rate rupees per hour
 */
function billOf(seconds: readonly number[], rate: number): string {
  const perHour = BigInt(Math.round(rate * 100))
  const paise = seconds
    .map((each) => {
      const scaled = BigInt(each) * perHour
      return scaled / 3600n + ((scaled % 3600n) * 2n >= 3600n ? 1n : 0n)
    })
    .reduce((sum, each) => sum + each, 0n)
  return formatRupees(Number(paise) / 100)
}
