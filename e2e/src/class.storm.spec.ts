import type { Page } from '@playwright/test'
import { openClassSettings } from './class-settings.ts'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { inKolkata, setWindow } from './training.ts'

const TRAINING = 'A live class'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`
const OTHER = 'asha.rao@acme.test'

async function expectNoAxeProblems(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.emulateMedia({ colorScheme })
    await waitForPaint(page)
    const problems = await axeProblems(page)
    expect(problems, `${width} ${colorScheme}`).toEqual([])
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth'), { message: `${width}` })
      .toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('an instructor and a learner see each other: hand, announcement, extension, idle machines', async ({
  signedIn,
  newPageAs,
  portal,
}) => {
  const page = await signedIn('admin')
  const learner = await newPageAs(DEMO_USERS.user)
  const origin = { origin: portal.url }

  await test.step('a class of two is ordered and runs', async () => {
    const reply = await page.request.post('/api/azure/machines', {
      headers: origin,
      data: {
        templateName: 'Ubuntu 24.04 Starter',
        trainingName: TRAINING,
        email: [DEMO_USERS.user, OTHER],
        allocatedHours: 600,
        createVmCount: 2,
        guacamole: true,
      },
    })
    expect(reply.ok(), await reply.text()).toBe(true)
    await navigate(page, `/vm/class${QUERY}&seats=large`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console, Class')
    await expect(page.getByRole('button', { name: 'Running 2' })).toBeVisible()
  })
  const tiles = page.getByRole('list', { name: 'Learners' }).getByRole('listitem')
  const tile = tiles.filter({ has: page.getByRole('heading', { name: DEMO_USERS.user, exact: true }) })

  await test.step('the learner raises a hand on Home and moves to the front', async () => {
    await learner.goto('/')
    await learner.getByRole('button', { name: `Raise hand in ${TRAINING}` }).click()
    await expect(tile).toContainText('Hand raised just now')
    await expect(tiles.first().getByRole('heading')).toHaveText(DEMO_USERS.user)
    const needs = page.getByRole('region', { name: 'Needs you' })
    await expect(needs).toContainText(DEMO_USERS.user)
    await page.getByRole('button', { name: 'Hands 1' }).click()
    await expect(tiles).toHaveCount(1)
    await page.getByRole('button', { name: 'Everyone 2' }).click()
    await needs.getByRole('button', { name: `Help ${DEMO_USERS.user}` }).click()
    await expect(page.getByRole('dialog', { name: DEMO_USERS.user })).toContainText('Hand raised')
    await page.keyboard.press('Escape')
    await expectNoAxeProblems(page)
  })

  await test.step('the instructor lowers the hand; the learner raises and lowers it on the console', async () => {
    await page.getByRole('button', { name: `Lower hand of ${DEMO_USERS.user}` }).click()
    await navigate(learner, `/vm/vmdetails${QUERY}`)
    await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    const handButton = learner.getByRole('button', { name: /^(Raise hand|Lower hand)/ })
    await expect(handButton).toHaveText(/^Raise hand/)
    await handButton.click()
    await expect(tile).toContainText('Hand raised')
    await expect(handButton).toHaveText(/^Lower hand/)
    await handButton.click()
    await expect(tile).not.toContainText('Hand raised')
  })

  const opening = learner.context().waitForEvent('page')
  await learner.getByRole('button', { name: /^Web-based access to/ }).click()
  const tab = await opening
  await test.step('in the terminal the learner is shown as connected and can raise a hand', async () => {
    await expect(tab.getByRole('status').first()).toHaveText('Connected as learner')
    await expect(tile).toContainText(/Connected(Just now|For \d+ min)/)
    await tab.getByRole('button', { name: /^Raise hand/ }).click()
    await expect(tile).toContainText('Hand raised')
    await page.getByRole('button', { name: `Lower hand of ${DEMO_USERS.user}` }).click()
    await expect(tab.getByRole('button', { name: /^Raise hand/ })).toBeVisible()
  })

  await test.step('an announcement appears on the learner’s pages and in the terminal, and is withdrawn', async () => {
    await page.getByRole('button', { name: 'Announce', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Announce' })
    await dialog.getByRole('button', { name: 'Announce to the class' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Enter an announcement.')
    await dialog.getByLabel('Text').fill('We go on at 11:10 with chapter four.')
    await dialog.getByRole('button', { name: 'Announce to the class' }).click()
    await expect(dialog).toBeHidden()
    for (const learnerPage of [learner, tab]) {
      await learnerPage.bringToFront()
      await expect(learnerPage.getByText('We go on at 11:10 with chapter four.')).toBeVisible()
      await expectNoAxeProblems(learnerPage)
    }
    await tab.getByRole('button', { name: 'Hide the announcement' }).click()
    await expect(tab.getByText('We go on at 11:10')).toHaveCount(0)
    await page.bringToFront()
    await expect(page.getByRole('main')).toContainText(/Announced until \d\d:\d\d: We go on at 11:10/)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await learner.bringToFront()
    await expect(learner.getByText('We go on at 11:10')).toHaveCount(0)
    await page.bringToFront()
  })

  await test.step('names are hidden for a projector, also after a reload', async () => {
    await page.getByRole('button', { name: 'Hide names' }).click()
    await expect(tiles.first().getByRole('heading')).toHaveText(/^Learner [12]$/)
    await page.reload()
    await expect(tiles.first().getByRole('heading')).toHaveText(/^Learner [12]$/)
    expect(await page.getByRole('main').innerHTML()).not.toMatch(/acme\.test|a-live-class/)
    await page.getByRole('button', { name: 'Show names' }).click()
    await expect(tile).toHaveCount(1)
  })

  await test.step('the access window is extended by 15 minutes', async () => {
    const extend = page.getByRole('button', { name: 'Extend by 15 minutes' })
    await expect(extend).toBeDisabled()
    const timeIn = (minutes: number) => inKolkata(new Date(portal.now().getTime() + minutes * 60_000)).time
    await setWindow(page, TRAINING, [timeIn(-60), timeIn(20)])
    await expect(extend).toBeEnabled()
    await extend.click()
    await expect(page.getByRole('main')).toContainText(`and today until ${timeIn(35)}.`)
    // While it is closed, the button opens the training, and asks first.
    await setWindow(page, TRAINING, [timeIn(-60), timeIn(-30)])
    await page.getByRole('button', { name: 'Open for 15 minutes' }).click()
    const question = page.getByRole('dialog', { name: 'Open for 15 minutes' })
    await expect(question).toContainText(/2 learners can use and start their machines until \d\d:\d\d\./)
    await question.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByText(/^The training is open until \d\d:\d\d\.$/)).toBeVisible()
    await expect(extend).toBeEnabled()
    await setWindow(page, TRAINING, null)
  })

  await test.step('idle machines will be stopped: the learner is warned and stays active', async () => {
    await openClassSettings(page, 'Idle machines')
    const dialog = page.getByRole('dialog', { name: 'Idle machines' })
    await dialog.getByLabel('Idle for (minutes)').fill('5')
    await dialog.getByRole('button', { name: 'Stop when idle' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Enter a whole number of minutes from 20 to 480.')
    await expectNoAxeProblems(page)
    await dialog.getByLabel('Idle for (minutes)').fill('20')
    await dialog.getByRole('button', { name: 'Stop when idle' }).click()
    await expect(page.getByRole('main')).toContainText('Machines that are idle for 20 minutes are stopped.')
    await tab.close()
    await portal.advanceClock(26 * 60)
    await expect(tile).toContainText(/Idle: stops in \d+ min/, { timeout: 80_000 })
    await learner.bringToFront()
    const warning = learner.getByRole('alert').filter({ hasText: 'is idle and will be stopped' })
    await expect(warning).toBeVisible()
    await expectNoAxeProblems(learner)
    await warning.getByRole('button', { name: /^I am here/ }).click()
    await expect(warning).toHaveCount(0)
    await page.bringToFront()
    await expect(tile).not.toContainText('Idle: stops in')
    await page.getByRole('button', { name: `Power Off the machine of ${OTHER}` }).click()
    await expect(tiles.filter({ has: page.getByRole('heading', { name: OTHER }) })).toContainText('Stopped')
    await page.getByRole('button', { name: 'Start all stopped' }).click()
    const start = page.getByRole('dialog', { name: 'Start all stopped' })
    await expect(start).toContainText(/1 machine starts now\. It costs ₹\S+ an hour\./)
    await start.getByRole('button', { name: 'Start 1 machine' }).click()
    await expect(page.getByText('1 machine is being started.')).toBeVisible()
    const stopped = tiles.filter({ has: page.getByRole('heading', { name: OTHER }) })
    await expect(stopped).toContainText('Starting')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(/^\S+ is not started\.$/)).toBeVisible()
    await expect(stopped).toContainText('Stopped')
  })
})

test('asks for a training to be selected', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/class')
  await expect(page.getByText('Please select a training from the sidebar.')).toBeVisible()
})
