import { expect, type Browser, type Page } from '@playwright/test'
import { changed, desktopOf, digestOf, EMPTY } from './desktops.ts'
import { goOn } from './go-on.ts'
import type { Portal } from './portal.ts'
import { ACCOUNTS, signIn } from './test.ts'
import { openOwn, orderTraining } from './training.ts'

/**
 * Orders a Windows machine for the learner, opens its desktop as they do, and beside it as the admin whose page it is,
 * with the learner's consent.
 */
export async function watchDesktop(page: Page, browser: Browser, portal: Portal, training: string) {
  let cut = () => {}
  const of = `?training=${encodeURIComponent(training)}`
  const context = await browser.newContext({ baseURL: portal.url })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.routeWebSocket(/\/remote\/own-desktop$/, (socket) => {
    const far = socket.connectToServer()
    cut = () => void Promise.all([socket.close(), far.close()])
  })
  const learner = await context.newPage()
  await signIn(learner, ACCOUNTS.user)
  await orderTraining(page, training, [ACCOUNTS.user], { guacamole: true, templateName: 'Windows Server 2022' })
  const own = await openOwn(learner, of)
  await changed(own, await digestOf(own, EMPTY))
  await own.keyboard.type('seen ')

  await goOn(page, `/vm/class${of}`)
  const watch = page.getByRole('button', { name: `Watch the screen of ${ACCOUNTS.user}` })
  await expect(watch).not.toHaveAttribute('aria-disabled')
  const coming = page.context().waitForEvent('page')
  await watch.click()
  const beside = await coming
  await expect(beside.getByRole('status').first()).toHaveText(`${ACCOUNTS.user} is asked whether you may watch.`)
  await own.getByRole('button', { name: 'Allow' }).click()
  await expect(own.getByText(`${ACCOUNTS.admin} watches this screen.`)).toBeVisible()
  await expect(desktopOf(beside)).toBeVisible()
  return {
    own,
    beside,
    /** Cuts the socket by which the learner is told who watches, and not the picture's. */
    cut: () => cut(),
    close: () => context.close(),
  }
}
