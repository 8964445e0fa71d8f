import { axeProblems } from './axe.ts'
import { findBrowser } from './browser.ts'
import { DEMO_USERS, expect, signIn, test as onLocalhost } from './test.ts'

/** Host name of the portal. Browsers trust neither it nor http. */
const HOST = 'labs.test'

const test = onLocalhost.extend({
  baseURL: async ({ portal }, use) => {
    const url = new URL(portal.url)
    url.hostname = HOST
    await use(url.origin)
  },
})
const browser = await findBrowser()
test.use({
  launchOptions: { ...browser, args: [...(browser.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`] },
})

test('over plain http on a host name every page says so, and an admin can order', async ({ page, portal }) => {
  const bar = page.getByText('This page is not encrypted')
  await page.goto('/login')
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await expect(bar).toBeVisible()
  expect(await axeProblems(page)).toEqual([])
  await signIn(page, DEMO_USERS.admin)
  await page.goto('/createvm')
  await expect(bar).toBeVisible()
  await page.getByRole('button', { name: 'Ubuntu 24.04 Starter' }).click()
  const form = page.getByRole('dialog', { name: 'Order VMs' })
  await form.getByLabel('Training Name').fill('Plain Text Networking')
  await form.getByRole('textbox', { name: 'Email IDs' }).fill('nila@acme.test')
  await form.getByRole('textbox', { name: 'Email IDs' }).press('Enter')
  await form.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('button', { name: /^Create (1 )?VM/ }).click()
  await expect(page.getByText(/^VM Creation in Process/)).toBeVisible()
  expect(await axeProblems(page)).toEqual([])

  await page.goto(`${portal.url}/login`)
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  await expect(bar).toHaveCount(0)
})
