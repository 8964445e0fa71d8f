import { expect, type Locator, type Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import { menuOf } from './test.ts'

/** Returns the headings of the menu's screens by path. */
export async function headingsOf(page: Page): Promise<ReadonlyMap<string, string>> {
  await expect(menuOf(page).first()).toBeVisible()
  const headings = new Map<string, string>()
  for (const link of await menuOf(page).all()) headings.set(await pathOf(link), await link.innerText())
  return headings
}

const pathOf = async (link: Locator): Promise<string> =>
  new URL((await link.getAttribute('href')) ?? '/', 'http://localhost').pathname

/**
 * Visits the screens of the menu and their tabs with a training selected, and calls `visit` once the content of each
 * has loaded.
 */
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
  const visited = new Set(skipped)
  const screens = [...headings]
  let previous = ''
  for (const [path, heading] of screens) {
    if (visited.has(path)) continue
    visited.add(path)
    const search = chosen && path !== '/' ? '?organization=Acme+Learning&training=Linux+101' : ''
    await navigate(page, path + search)
    const h1 = page.getByRole('heading', { level: 1 })
    // Tabs of one screen share its heading, to which they add their names.
    await expect(h1).not.toHaveText(previous)
    await expect(h1).toContainText(heading)
    previous = await h1.innerText()
    for (const tab of await page
      .getByRole('navigation', { name: /^Parts of/ })
      .getByRole('link')
      .all())
      screens.push([await pathOf(tab), await tab.innerText()])
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
