import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

const bar = (page: Page) => page.getByRole('status').filter({ hasText: 'A new version is here.' })

/** From now on calls are answered as by a portal of the next version; its pages are those of this one. */
const upgrade = (page: Page) =>
  page.route('**/api/**', async (route) => {
    // A stream never ends: it can't be fetched whole.
    if (route.request().headers()['accept'] === 'text/event-stream') return route.fallback()
    // The page may be left while it is on its way.
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort().catch(() => {})
    const headers = { ...response.headers(), 'x-web-version': '/assets/app-next.js' }
    return route.fulfill({ response, headers }).catch(() => {})
  })
/** A mark that a newly loaded page does not have. */
const mark = (page: Page) => page.evaluate('window.sameTab = true')
/** null: another page is just being loaded. */
const isMarked = (page: Page) => page.evaluate('window.sameTab === true').catch(() => null)

test('a tab with something typed is told of a new version, keeps what was typed, and reloads when asked to', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin', '/overview')
  await expect(bar(page)).toBeHidden()
  await mark(page)
  await page.getByRole('button', { name: 'Create Organization' }).click()
  const field = page.getByRole('dialog', { name: 'Create Organization' }).getByRole('textbox')
  await field.fill('Half typed')
  await upgrade(page)
  // Somebody comes back to the tab: what is on the screen is asked for again.
  await page.evaluate("dispatchEvent(new Event('online'))")
  await expect(bar(page)).toBeVisible()
  await expect(field).toHaveValue('Half typed')
  expect(await isMarked(page)).toBe(true)
  expect(await axeProblems(page)).toEqual([])
  await page.getByRole('dialog', { name: 'Create Organization' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await bar(page).getByRole('button', { name: 'Reload' }).click()
  await expect.poll(() => isMarked(page)).toBe(false)
})

test('a tab where nothing was typed loads the new version on the way to another screen, once', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  await mark(page)
  await upgrade(page)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await expect(bar(page)).toBeVisible()
  await page.getByRole('link', { name: 'Audit' }).click()
  await expect.poll(() => isMarked(page)).toBe(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit')
  // The portal that sent the page was the older one still: it is not asked again and again.
  await expect(bar(page)).toBeVisible()
  await mark(page)
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Admin Panel')
  expect(await isMarked(page)).toBe(true)
})

/** As a browser does it that shows another tab; a headless one shows all of its tabs. */
const hide = (page: Page) =>
  page.evaluate(
    "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
  )

test('a tab that nobody looks at loads the new version by itself, and never over what was typed', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin', '/overview')
  await mark(page)
  await page.getByRole('button', { name: 'Create Organization' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Organization' })
  await dialog.getByRole('textbox').fill('Half typed')
  await upgrade(page)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await expect(bar(page)).toBeVisible()
  await hide(page)
  await expect(dialog.getByRole('textbox')).toHaveValue('Half typed')
  expect(await isMarked(page)).toBe(true)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  expect(await isMarked(page)).toBe(true)
  await hide(page)
  await expect.poll(() => isMarked(page)).toBe(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Admin Panel')
})
