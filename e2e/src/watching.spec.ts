import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { goOn } from './go-on.ts'
import { settled } from './screens.ts'
import { ACCOUNTS, expect, test } from './test.ts'
import { openOwn, orderTraining } from './training.ts'

const TRAINING = 'Beside the learner'
const OF = `?training=${encodeURIComponent(TRAINING)}`

const terminalOf = (page: Page) => page.getByRole('region', { name: /^Terminal of / })

async function expectNoProblems(page: Page): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await settled(page)
    expect(await axeProblems(page), `${width} ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

// @covers R19.5
test('an instructor watches a learner who allows it, types with their leave, and is sent away', async ({
  signedIn,
  another,
}) => {
  const page = await signedIn('admin')
  const learner = await another(ACCOUNTS.user)
  await orderTraining(page, TRAINING, [ACCOUNTS.user], { guacamole: true })
  await goOn(page, `/vm/class${OF}`)
  const watch = page.getByRole('button', { name: `Watch the screen of ${ACCOUNTS.user}` })
  await expect(watch).toHaveAttribute('aria-disabled', 'true')

  const own = await openOwn(learner, OF)
  await own.keyboard.type('echo "$USER at work" | cat\n')
  await expect(terminalOf(own)).toContainText('learner at work')

  await expect(watch).not.toHaveAttribute('aria-disabled')
  const coming = page.context().waitForEvent('page')
  await watch.click()
  const beside = await coming
  await expect(beside.getByRole('status').first()).toHaveText(`${ACCOUNTS.user} is asked whether you may watch.`)
  const asks = own.getByRole('alert').filter({ hasText: `${ACCOUNTS.admin} asks to watch your screen.` })
  await expect(asks).toBeVisible()
  await expectNoProblems(own)
  await own.getByRole('button', { name: 'Allow' }).click()
  await expect(beside.getByRole('status').first()).toHaveText(`Watching ${ACCOUNTS.user}`)
  await expect(terminalOf(beside)).toContainText('learner at work')
  await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
  await expectNoProblems(beside)

  await test.step('the keyboard is asked for, given, and handed back', async () => {
    await beside.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await expectNoProblems(own)
    await own.getByRole('button', { name: 'Give the keyboard' }).click()
    await expect(beside.getByText('You have the keyboard.')).toBeVisible()
    await beside.keyboard.type('echo "$USER is shown" | cat\n')
    await expect(terminalOf(own)).toContainText('learner is shown')
    await beside.getByRole('button', { name: 'Hand the keyboard back' }).click()
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
  })

  await test.step('the learner takes their consent back', async () => {
    await own.getByRole('button', { name: 'Stop watching' }).click()
    await expect(beside.getByRole('alert')).toHaveText(`${ACCOUNTS.user} does not want to be watched any more.`)
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeHidden()
  })

  await test.step('the training has it otherwise, and says so at the door', async () => {
    await page.getByRole('button', { name: 'Watching' }).click()
    const dialog = page.getByRole('dialog', { name: 'Watching' })
    await dialog.getByRole('checkbox', { name: 'Watch without asking' }).check()
    await expectNoProblems(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await own.reload()
    await own.getByRole('button', { name: 'Connect' }).click()
    await expect(own.getByText(/^Your instructors may watch this screen without asking you/)).toBeVisible()
  })
})
