import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { expect, test } from './test.ts'

const bar = (page: Page) => page.getByRole('status').filter({ hasText: 'A new version is available.' })

/**
 * From now on, the responses of API calls carry the version of a newer portal. The pages stay those of the current
 * version.
 */
const upgrade = (page: Page) =>
  page.route('**/api/**', async (route) => {
    // A stream never ends, so it cannot be fetched as a whole.
    if (route.request().headers()['accept'] === 'text/event-stream') return route.fallback()
    // The page may be closed during the request.
    const response = await route.fetch().catch(() => null)
    if (response === null) return route.abort().catch(() => {})
    const headers = { ...response.headers(), 'x-web-version': '/assets/app-next.js' }
    return route.fulfill({ response, headers }).catch(() => {})
  })
/** Sets a mark that a reloaded page does not have. */
const markTab = (page: Page) => page.evaluate('window.sameTab = true')
/** Returns true if the page still has the mark, or null while another page is loading. */
const isMarked = (page: Page) => page.evaluate('window.sameTab === true').catch(() => null)

test('a tab with unsaved input announces a new version, keeps the input, and reloads on request', async ({
  signedIn,
}) => {
  const page = await signedIn('superadmin', '/overview')
  await expect(bar(page)).toBeHidden()
  await markTab(page)
  await page.getByRole('button', { name: 'Create Organization' }).click()
  const field = page.getByRole('dialog', { name: 'Create Organization' }).getByRole('textbox')
  await field.fill('Half typed')
  await upgrade(page)
  // The event of a restored connection makes the page refetch its data.
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

test('a tab without input loads the new version on the next navigation, once', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  await markTab(page)
  await upgrade(page)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await expect(bar(page)).toBeVisible()
  await page.getByRole('link', { name: 'Control Center' }).click()
  await expect.poll(() => isMarked(page)).toBe(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Control Center')
  // The reloaded page still has the old version. The tab does not reload repeatedly.
  await expect(bar(page)).toBeVisible()
  await markTab(page)
  await page.getByRole('link', { name: 'System Admin Panel' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('System Admin Panel')
  expect(await isMarked(page)).toBe(true)
})

/** Simulates that another tab is shown. A headless browser reports all its tabs as visible. */
const hide = (page: Page) =>
  page.evaluate(
    "Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))",
  )

test('a hidden tab loads the new version automatically, but never discards input', async ({ signedIn }) => {
  const page = await signedIn('superadmin', '/overview')
  await markTab(page)
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
