import type { Page } from '@playwright/test'
import { openClassSettings } from './class-settings.ts'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { waitForPaint } from './screens.ts'
import { DEMO_USERS, expect, test } from './test.ts'
import { openOwnMachine, orderTraining } from './training.ts'

const TRAINING = 'Beside the learner'
const QUERY = `?training=${encodeURIComponent(TRAINING)}`

const terminalOf = (page: Page) => page.getByRole('region', { name: /^Terminal of / })

async function expectNoAxeProblems(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await waitForPaint(page)
    expect(await axeProblems(page), `${width} ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('an instructor watches a learner who allows it, types with consent, and loses access', async ({
  signedIn,
  newPageAs,
}) => {
  const page = await signedIn('admin')
  const learner = await newPageAs(DEMO_USERS.user)
  await orderTraining(page, TRAINING, [DEMO_USERS.user], { guacamole: true })
  await navigate(page, `/vm/class${QUERY}&seats=large`)
  const watch = page.getByRole('button', { name: `Watch the screen of ${DEMO_USERS.user}` })
  await expect(watch).toHaveAttribute('aria-disabled', 'true')

  const learnerTab = await openOwnMachine(learner, QUERY)
  await learnerTab.keyboard.type('echo "$USER at work" | cat\n')
  await expect(terminalOf(learnerTab)).toContainText('learner at work')

  await expect(watch).not.toHaveAttribute('aria-disabled')
  const newPage = page.context().waitForEvent('page')
  await watch.click()
  const watcher = await newPage
  await expect(watcher.getByRole('status').first()).toHaveText(`Asking ${DEMO_USERS.user} whether you can watch.`)
  const consentRequest = learnerTab
    .getByRole('alert')
    .filter({ hasText: `${DEMO_USERS.admin} asks to watch your screen.` })
  await expect(consentRequest).toBeVisible()
  await expectNoAxeProblems(learnerTab)
  await learnerTab.getByRole('button', { name: 'Allow' }).click()
  await expect(watcher.getByRole('status').first()).toHaveText(`Watching ${DEMO_USERS.user}`)
  await expect(terminalOf(watcher)).toContainText('learner at work')
  await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeVisible()
  await expectNoAxeProblems(watcher)

  await test.step('the keyboard is requested, given, and returned', async () => {
    await watcher.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await expectNoAxeProblems(learnerTab)
    await learnerTab.getByRole('button', { name: 'Give the keyboard' }).click()
    await expect(watcher.getByText('You have the keyboard.')).toBeVisible()
    await watcher.keyboard.type('echo "$USER is shown" | cat\n')
    await expect(terminalOf(learnerTab)).toContainText('learner is shown')
    await watcher.getByRole('button', { name: 'Return the keyboard' }).click()
    await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeVisible()
  })

  await test.step('the learner withdraws consent', async () => {
    await learnerTab.getByRole('button', { name: 'Stop watching' }).click()
    await expect(watcher.getByRole('alert')).toHaveText(`${DEMO_USERS.user} no longer wants to be watched.`)
    await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeHidden()
  })

  await test.step('the training allows watching without asking, and tells the learner when they connect', async () => {
    await openClassSettings(page, 'Watching')
    const dialog = page.getByRole('dialog', { name: 'Watching' })
    await dialog.getByRole('checkbox', { name: 'Watch without asking' }).check()
    await expectNoAxeProblems(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await learnerTab.reload()
    await learnerTab.getByRole('button', { name: 'Connect' }).click()
    await expect(learnerTab.getByText(/^Your instructors can watch this screen without asking you/)).toBeVisible()
  })
})
