import type { Page } from '@playwright/test'
import { watchDesktop } from './beside.ts'
import { desktopOf, heightOf, picture, readClipboard, settled, widthOf } from './desktops.ts'
import { expectNoProblems } from './looks.ts'
import { ACCOUNTS, expect, test } from './test.ts'

const TRAINING = 'Beside a desktop'

test("an instructor sees a learner's desktop as it is, acts at it with their leave, and is sent away", async ({
  signedIn,
  browser,
  portal,
}) => {
  const page = await signedIn('admin')
  const { own, beside, cut, close } = await watchDesktop(page, browser, portal, TRAINING)
  /** Both see the very same picture. */
  const alike = async () => {
    const seen = await settled(own)
    await expect.poll(() => picture(beside)).toBe(seen)
    return seen
  }
  const copied = async (by: Page) => {
    await by.keyboard.press('Control+c')
    return readClipboard(own)
  }

  await test.step('the picture of before they came is seen, and so is each later one', async () => {
    await alike()
    await expectNoProblems(beside, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await expectNoProblems(own, [[1440, 'dark']])
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await own.keyboard.type('then ')
    await alike()
  })

  await test.step('it follows the size of the learner’s window', async () => {
    await own.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => widthOf(beside)).toBe(900)
    await alike()
  })

  await test.step('the keyboard is asked for, given, and handed back', async () => {
    const tall = await heightOf(own)
    await beside.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await own.getByRole('button', { name: 'Give the keyboard' }).click()
    await expect(beside.getByText('You have the keyboard.')).toBeVisible()
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await own.keyboard.type('lost ')
    await beside.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await beside.keyboard.type('shown')
    // A copy there arrives at its learner. Keys and the keyboard's way back go by two sockets: the one waits.
    await expect.poll(() => copied(beside)).toBe('seen then shown')
    await alike()
    // The lines on the keyboard take room from the desktop, and the machine is not told: their picture would begin anew.
    expect(await heightOf(own)).toBe(tall)
    await beside.getByRole('button', { name: 'Hand the keyboard back' }).click()
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await own.keyboard.type(', back')
    await expect.poll(() => copied(own)).toBe('seen then shown, back')
  })

  await test.step('nobody watches while the learner can’t be told, and the page is told again by itself', async () => {
    cut()
    await expect(beside.getByRole('alert')).toHaveText(
      `The page of ${ACCOUNTS.user} does not answer. Try again in a moment.`,
    )
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeHidden()
    await expect(async () => {
      const again = beside.getByRole('button', { name: 'Watch again' })
      if (await again.isVisible()) await again.click({ timeout: 1_000 })
      await expect(own.getByRole('button', { name: 'Allow' })).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await own.getByRole('button', { name: 'Allow' }).click()
    await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
    await alike()
    await own.getByRole('textbox', { name: /^Keyboard of / }).focus()
  })

  await test.step('the learner takes their consent back', async () => {
    await own.getByRole('button', { name: 'Stop watching' }).click()
    await expect(beside.getByRole('alert')).toHaveText(`${ACCOUNTS.user} does not want to be watched any more.`)
    await expect(desktopOf(beside)).toBeHidden()
    await own.keyboard.type('!')
  })
  await close()
})
