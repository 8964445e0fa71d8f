import { expect, type Page } from '@playwright/test'
import { menuOf } from './test.ts'

/** Goes to every screen of the menu, with a training chosen, and calls `see` once what it shows has come. */
export async function visitScreens(page: Page, see: (path: string) => Promise<void>): Promise<void> {
  const openMenu = page.getByRole('button', { name: 'Open the menu' })
  const behindButton = await openMenu.isVisible()
  if (behindButton) await openMenu.click()
  await expect(menuOf(page).first()).toBeVisible()
  const addresses: string[] = []
  for (const link of await menuOf(page).all()) {
    addresses.push(new URL((await link.getAttribute('href')) ?? '/', page.url()).pathname)
  }
  const chosen = (await page.getByLabel('Choose Lab Module').count()) > 0
  for (const path of addresses) {
    const search = chosen && path !== '/' ? '?organization=Acme+Learning&training=Linux+101' : ''
    await page.goto(path + search)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('load')
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

/** Until the font is there its text is invisible, and while a colour changes it has another: to pictures and axe alike. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`document.fonts.ready
    .then(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)))
    .then(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))))`)
}
