import type { Page } from '@playwright/test'
import { DEMO_USERS, expect, test } from './test.ts'

const watchShift = (page: Page) =>
  page.addInitScript(
    `globalThis.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((entry) => { shift += entry.value })).observe({ type: 'layout-shift', buffered: true })`,
  )
const untilPainted = (page: Page) =>
  expect.poll(() => page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`)).toBe(1)

test('paints the frame before scripts and style sheets have loaded, and the application replaces it without layout shift', async ({
  signedIn,
}) => {
  const page = await signedIn('admin')
  let release!: () => void
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/assets/**', async (route) => {
    await released
    await route.continue()
  })
  await watchShift(page)
  await page.goto('/vm/vmdetails?training=Linux+101', { waitUntil: 'commit' })
  await expect(page.getByText('Trainyard', { exact: true })).toBeVisible()
  await untilPainted(page)
  const placeholder = page.locator('.frame-side')
  const before = await placeholder.boundingBox()
  release()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  await expect(placeholder).toHaveCount(0)
  const after = await page.getByRole('complementary').boundingBox()
  expect([after!.x, after!.width]).toEqual([before!.x, before!.width])
  expect(await page.evaluate('shift')).toBeLessThan(0.01)
})

test('makes the first calls of the screen and the shell once, while the application loads', async ({ signedIn }) => {
  const page = await signedIn('admin')
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/shell-*.js', (route) => released.promise.then(() => route.continue()))
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  const first = ['/api/azure/machines', '/api/user/me', '/api/azure/trainingName']
  const made = () => first.map((path) => calls.filter((call) => call === path).length)
  await page.goto('/vm/vmdetails?training=Linux+101', { waitUntil: 'commit' })
  await expect.poll(made).toEqual([1, 1, 1])
  released.resolve()
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  expect(made()).toEqual([1, 1, 1])
})

test('fetches the first reply of a screen while the pointer is over its link, and uses it', async ({ signedIn }) => {
  const page = await signedIn('admin', '/vm/vmdetails?training=Linux+101')
  await expect(page.getByRole('list', { name: 'Instances' }).getByRole('listitem').first()).toBeVisible()
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  const ports = () => calls.filter((path) => path === '/api/azure/ports').length
  const link = page.getByRole('link', { name: 'Networking (Ports)' })
  await link.hover()
  await expect.poll(ports).toBe(1)
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Networking (Ports)')
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  expect(ports()).toBe(1)
})

test('leads from a session that has ended to the login page', async ({ signedIn }) => {
  const page = await signedIn('admin')
  // Without its cookie, the application navigates to the login page. This static page does not navigate.
  await page.goto('/privacy')
  await page.context().clearCookies()
  await page.evaluate(`localStorage.setItem('uid', 'ended')`)
  await page.goto('/vm/vmdetails?training=Linux+101')
  await expect(page.getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
})

const ID = '0b6a6c9e-1f0e-4c5d-9a55-3f6d2b7c8e90'

const WAITING_PAGES = [
  {
    path: `/invitation#token=${ID}.${'a'.repeat(43)}`,
    call: '**/api/user/invitation',
    reply: { status: 200, json: { email: 'asha@acme.test', organization: 'Acme Learning' } },
    content: 'Set password and continue',
  },
  {
    path: `/invitation#token=${ID}.${'b'.repeat(43)}`,
    call: '**/api/user/invitation',
    reply: { status: 404, json: { message: 'This link is no longer valid.' } },
    content: 'This link is no longer valid.',
  },
  {
    path: '/join/0000-0000-0000',
    call: '**/api/registration?*',
    reply: { status: 404, json: { message: 'This registration link is not valid.' } },
    content: 'Registration code',
  },
  {
    path: '/sign-in?state=any',
    call: '**/api/sign-in/finish',
    reply: { status: 400, json: { message: 'Please sign in again.' } },
    content: 'Continue',
  },
] as const

for (const { path, call, reply, content } of WAITING_PAGES) {
  test(`shows the reply on ${path} without layout shift`, async ({ page }) => {
    const released = Promise.withResolvers<void>()
    await page.route(call, (route) => released.promise.then(() => route.fulfill(reply)))
    await watchShift(page)
    await page.goto(path)
    await untilPainted(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    released.resolve()
    await expect(page.getByText(content)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Privacy notice' })).toBeVisible()
    expect(await page.evaluate('new Promise(requestAnimationFrame).then(() => shift)')).toBe(0)
  })
}

test('keeps what was typed before React replaced a page that an extension had changed', async ({ page }) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/open-*.js', (route) => released.promise.then(() => route.continue()))
  const replaced = page.waitForEvent('pageerror')
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Username').fill(DEMO_USERS.admin)
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    heading.replaceChildren(heading.ownerDocument.createElement('b'))
  })
  released.resolve()
  await replaced
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty()
  await expect(page.getByLabel('Username')).toHaveValue(DEMO_USERS.admin)
})
