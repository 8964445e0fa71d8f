import { expect, type Browser, type Page } from '@playwright/test'
import { canvasDigest, desktopOf, EMPTY_CANVAS, waitForChange } from './desktops.ts'
import { navigate } from './navigate.ts'
import type { Portal } from './portal.ts'
import { DEMO_USERS, signIn } from './test.ts'
import { openOwnMachine, orderTraining } from './training.ts'

/**
 * Orders a Windows machine for the learner, opens its desktop as the learner, and watches it as the admin of `page`
 * with the learner's consent.
 */
export async function watchDesktop(page: Page, browser: Browser, portal: Portal, training: string) {
  let cut = () => {}
  const query = `?training=${encodeURIComponent(training)}`
  const context = await browser.newContext({ baseURL: portal.url })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.routeWebSocket(/\/remote\/own-desktop$/, (socket) => {
    const server = socket.connectToServer()
    cut = () => void Promise.all([socket.close(), server.close()])
  })
  const learner = await context.newPage()
  await signIn(learner, DEMO_USERS.user)
  await orderTraining(page, training, [DEMO_USERS.user], { guacamole: true, templateName: 'Windows Server 2022' })
  const learnerTab = await openOwnMachine(learner, query)
  await waitForChange(learnerTab, await canvasDigest(learnerTab, EMPTY_CANVAS))
  await learnerTab.keyboard.type('seen ')

  await navigate(page, `/vm/class${query}&seats=large`)
  const watch = page.getByRole('button', { name: `Watch the screen of ${DEMO_USERS.user}` })
  await expect(watch).not.toHaveAttribute('aria-disabled')
  const newPage = page.context().waitForEvent('page')
  await watch.click()
  const watcher = await newPage
  await expect(watcher.getByRole('status').first()).toHaveText(`Asking ${DEMO_USERS.user} whether you can watch.`)
  await learnerTab.getByRole('button', { name: 'Allow' }).click()
  await expect(learnerTab.getByRole('textbox', { name: /^Keyboard of / })).toBeFocused()
  await expect(learnerTab.getByText(`${DEMO_USERS.admin} is watching this screen.`)).toBeVisible()
  await expect(desktopOf(watcher)).toBeVisible()
  return {
    learnerTab,
    watcher,
    /** Closes the control socket, which shows the learner who watches, but not the socket that carries the picture. */
    cut: () => cut(),
    close: () => context.close(),
  }
}
