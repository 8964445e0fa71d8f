import { expect, type Page } from '@playwright/test'
import { goOn } from './go-on.ts'
import { menuOf } from './test.ts'

/** The screens of the menu: the heading of each by its path. */
export async function headingsOf(page: Page): Promise<ReadonlyMap<string, string>> {
  await expect(menuOf(page).first()).toBeVisible()
  const headings = new Map<string, string>()
  for (const link of await menuOf(page).all()) {
    headings.set(new URL((await link.getAttribute('href')) ?? '/', page.url()).pathname, await link.innerText())
  }
  return headings
}

/** Goes to the screens of the menu, with a training chosen, and calls `see` once the content of each has come. */
export async function visitScreens(
  page: Page,
  see: (path: string) => Promise<void>,
  leftOut: readonly string[] = [],
): Promise<void> {
  const openMenu = page.getByRole('button', { name: 'Open the menu' })
  const behindButton = await openMenu.isVisible()
  if (behindButton) await openMenu.click()
  const headings = await headingsOf(page)
  const chosen = (await page.getByLabel('Choose Lab Module').count()) > 0
  for (const [path, heading] of headings) {
    if (leftOut.includes(path)) continue
    const search = chosen && path !== '/' ? '?organization=Acme+Learning&training=Linux+101' : ''
    await goOn(page, path + search)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    const machines = page.getByLabel('Instance', { exact: true })
    if (await machines.isVisible()) {
      await expect.poll(() => machines.getByRole('option').count()).toBeGreaterThan(1)
      await machines.selectOption({ index: 1 })
      await expect(page.getByRole('heading', { name: /^Logs Explorer - / })).toBeVisible()
    }
    await settled(page)
    await see(path)
  }
}

/**
 * Until the font is there its text is invisible, and while a colour changes it has another: to pictures and axe alike.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready
    .then(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
    .then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))))`)
}
