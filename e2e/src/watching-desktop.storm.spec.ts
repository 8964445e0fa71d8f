import type { Page } from '@playwright/test'
import { watchDesktop } from './watch-desktop.ts'
import { desktopOf, heightOf, pictureDigest, readClipboard, waitForStablePicture, widthOf } from './desktops.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { DEMO_USERS, expect, test } from './test.ts'

const TRAINING = 'Beside a desktop'

test("an instructor watches a learner's desktop, controls it with consent, and loses access", async ({
  signedIn,
  browser,
  portal,
}) => {
  const page = await signedIn('admin')
  const { learnerTab, watcher, cut, close } = await watchDesktop(page, browser, portal, TRAINING)
  const expectSamePicture = async () => {
    const picture = await waitForStablePicture(learnerTab)
    await expect.poll(() => pictureDigest(watcher)).toBe(picture)
    return picture
  }
  const copied = async (copier: Page) => {
    await copier.keyboard.press('Control+c')
    return readClipboard(learnerTab)
  }

  await test.step('shows the earlier picture, and then each later picture', async () => {
    await expectSamePicture()
    await expectNoAxeProblems(watcher, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await expectNoAxeProblems(learnerTab, [[1440, 'dark']])
    await learnerTab.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await learnerTab.keyboard.type('then ')
    await expectSamePicture()
  })

  await test.step('the picture follows the size of the learner’s window', async () => {
    await learnerTab.setViewportSize({ width: 900, height: 700 })
    await expect.poll(() => widthOf(watcher)).toBe(900)
    await expectSamePicture()
  })

  await test.step('the keyboard is requested, given, and returned', async () => {
    const initialHeight = await heightOf(learnerTab)
    await watcher.getByRole('button', { name: 'Ask for the keyboard' }).click()
    await learnerTab.getByRole('button', { name: 'Give the keyboard' }).click()
    await expect(watcher.getByText('You have the keyboard.')).toBeVisible()
    await learnerTab.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await learnerTab.keyboard.type('lost ')
    await watcher.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await watcher.keyboard.type('shown')
    // Text copied by the instructor arrives in the learner's clipboard. Retry, because keys and the return of the
    // keyboard use two sockets.
    await expect.poll(() => copied(watcher)).toBe('seen then shown')
    await expectSamePicture()
    // The bars about the keyboard take space from the desktop, but the machine is not resized: resizing would restart
    // the instructor's picture.
    expect(await heightOf(learnerTab)).toBe(initialHeight)
    await watcher.getByRole('button', { name: 'Return the keyboard' }).click()
    await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeVisible()
    await learnerTab.getByRole('textbox', { name: /^Keyboard of / }).focus()
    await learnerTab.keyboard.type(', back')
    await expect.poll(() => copied(learnerTab)).toBe('seen then shown, back')
  })

  await test.step('watching stops while the learner’s page is unreachable, and the page reconnects automatically', async () => {
    cut()
    await expect(watcher.getByRole('alert')).toHaveText(
      `The page of ${DEMO_USERS.user} does not answer. Try again in a moment.`,
    )
    await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeHidden()
    await expect(async () => {
      const again = watcher.getByRole('button', { name: 'Watch again' })
      if (await again.isVisible()) await again.click({ timeout: 1_000 })
      await expect(learnerTab.getByRole('button', { name: 'Allow' })).toBeVisible({ timeout: 2_000 })
    }).toPass()
    await learnerTab.getByRole('button', { name: 'Allow' }).click()
    await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeVisible()
    await expectSamePicture()
    await learnerTab.getByRole('textbox', { name: /^Keyboard of / }).focus()
  })

  await test.step('the learner withdraws consent', async () => {
    await learnerTab.getByRole('button', { name: 'Stop watching' }).click()
    await expect(watcher.getByRole('alert')).toHaveText(`${DEMO_USERS.user} no longer wants to be watched.`)
    await expect(desktopOf(watcher)).toBeHidden()
    await learnerTab.keyboard.type('!')
  })
  await close()
})
