import { expect, type Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { menuOf } from './test.ts'

/** Returns the headings of the menu's screens by path. */
export async function headingsOf(page: Page): Promise<ReadonlyMap<string, string>> {
  await expect(menuOf(page).first()).toBeVisible()
  const headings = new Map<string, string>()
  for (const link of await menuOf(page).all()) {
    headings.set(new URL((await link.getAttribute('href')) ?? '/', page.url()).pathname, await link.innerText())
  }
  return headings
}

/** Visits the screens of the menu with a training selected, and calls `visit` once the content of each has loaded. */
export async function visitScreens(
  page: Page,
  visit: (path: string) => Promise<void>,
  skipped: readonly string[] = [],
): Promise<void> {
  const openMenu = page.getByRole('button', { name: 'Open the menu' })
  const behindButton = await openMenu.isVisible()
  if (behindButton) await openMenu.click()
  const headings = await headingsOf(page)
  const chosen = (await page.getByLabel('Choose Lab Module').count()) > 0
  for (const [path, heading] of headings) {
    if (skipped.includes(path)) continue
    const search = chosen && path !== '/' ? '?organization=Acme+Learning&training=Linux+101' : ''
    await navigate(page, path + search)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    const machines = page.getByLabel('Instance', { exact: true })
    if (await machines.isVisible()) {
      await expect.poll(() => machines.getByRole('option').count()).toBeGreaterThan(1)
      await machines.selectOption({ index: 1 })
      await expect(page.getByRole('heading', { name: /^Logs Explorer - / })).toBeVisible()
    }
    await waitForPaint(page)
    await visit(path)
  }
}

/**
 * Waits until fonts are loaded and animations have ended. Before that, text is invisible or has transitional colours,
 * both for screenshots and for axe.
 */
export async function waitForPaint(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready
    .then(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
    .then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))))`)
}
