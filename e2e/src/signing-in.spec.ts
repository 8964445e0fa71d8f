import { navigate } from './navigate.ts'
import { DEMO_USERS, expect, PASSWORD, signIn, test } from './test.ts'

test('a wrong password and an unknown user get the same sentence, in the red banner', async ({ page }) => {
  const messages: string[] = []
  for (const email of [DEMO_USERS.admin, 'nobody@acme.test']) {
    await page.goto('/login')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password').fill('not-the-password')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText('Login failed.')
    messages.push(await page.getByRole('alert').innerText())
  }
  expect(messages[0]).toBe(messages[1])
})

test('a protected page leads to the login page, and signing in leads back to it', async ({ page }) => {
  await page.goto('/vm/vmdetails')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill(DEMO_USERS.admin)
  await page.getByLabel('Password').fill('demo-Trainyard-1')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Virtual Lab Console' })).toBeVisible()
})

test('the login page never redirects to another site', async ({ page, portal }) => {
  const requests: string[] = []
  await page.route(
    (url) => url.origin !== portal.url,
    (route) => {
      requests.push(route.request().url())
      return route.abort()
    },
  )
  // The unit test of `session.ts` has more addresses.
  const targets = ['/.//evil.test', '/\t/evil.test', '//evil.test']
  for (const next of targets) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Username').fill(DEMO_USERS.admin)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  }
  expect(requests).toEqual([])
})

test('logout clears the local storage and ends the session', async ({ page }) => {
  await signIn(page, DEMO_USERS.user)
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect((await page.request.get('/api/user/me')).status()).toBe(401)
})

test('a session that ended elsewhere leads to the login page at the next call', async ({ page, browser, portal }) => {
  const otherContext = await browser.newContext({ baseURL: portal.url })
  const newSessionId = async () => {
    await signIn(page, DEMO_USERS.user)
    return page.evaluate(() => localStorage.getItem('uid'))
  }
  const end = async (uid: string | null) => {
    const ended = await otherContext.request.post('/api/user/logout', { headers: { authorization: `Bearer ${uid}` } })
    expect(ended.status()).toBe(200)
  }
  await end(await newSessionId())
  // A call of the open page may redirect before this navigation does.
  await navigate(page, '/vm/vmdetails').catch(() => {})
  await expect(page).toHaveURL(/\/login/)

  // A reloaded page finds the ended session in its storage. Leave the open page first, so that it cannot redirect.
  const uid = await newSessionId()
  await page.goto('about:blank')
  await end(uid)
  await page.goto('/vm/vmdetails', { waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/login/)
  await otherContext.close()
})

test('the login requires both fields, shows its progress, and shows a failure in red', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  let requestCount = 0
  const released = Promise.withResolvers<void>()
  await page.route('**/api/user/login', (route) => {
    requestCount += 1
    return released.promise.then(() => route.continue())
  })
  const login = page.getByRole('button', { name: 'Login' })
  for (const [label, text] of [
    ['Username', DEMO_USERS.user],
    ['Password', 'not-the-password'],
  ] as const) {
    await login.click()
    await expect(page.getByLabel(label)).toBeFocused()
    await page.getByLabel(label).fill(text)
  }
  expect(requestCount).toBe(0)
  const password = page.getByLabel('Password')
  await page.getByLabel('Show characters').check()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByLabel('Show characters').uncheck()
  await expect(password).toHaveAttribute('type', 'password')
  const places = () => Promise.all([password, login].map((element) => element.boundingBox()))
  const before = await places()
  await login.click()
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  released.resolve()
  const banner = page.getByRole('alert')
  await expect(banner).toHaveText(/^Login failed\. .+/)
  const [red = 0, green = 0, blue = 0] = (
    await banner.evaluate((element) =>
      element.ownerDocument.defaultView!.getComputedStyle(element).color.match(/\d+/g)!,
    )
  ).map(Number)
  expect(red).toBeGreaterThan(2 * Math.max(green, blue))
  await expect(login).toBeEnabled()
  expect(await places()).toEqual(before)
})

test('signs in with what was typed and submitted before the script had arrived', async ({ page }) => {
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/**', (route) => released.promise.then(() => route.continue()))
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto('/login?next=/account', { waitUntil: 'commit' })
  await page.getByLabel('Username').fill(DEMO_USERS.admin)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await expect(page.getByRole('button', { name: 'Login' })).toHaveCSS('cursor', 'progress')
  expect(calls).not.toContain('POST /api/user/login')
  expect(new URL(page.url()).pathname).toBe('/login')
  released.resolve()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Security')
  expect(calls.filter((call) => call === 'POST /api/user/login')).toHaveLength(1)
})

test('the login page says that its script did not arrive', async ({ page }) => {
  await page.route('**/assets/open-*.js', (route) => route.abort())
  await page.goto('/login')
  await expect(page.getByRole('alert')).toHaveText('This page did not load completely. Load it again.')
})

test('the login page says that the browser blocks site data, and other pages lead to it', async ({ page }) => {
  // As Chrome and Firefox do when a user blocks all cookies of a site.
  await page.addInitScript(() =>
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    }),
  )
  await page.goto('/vm/vmdetails')
  await expect(page).toHaveURL(/\/login\?next=/)
  const banner = page.getByRole('alert')
  await expect(banner).toContainText('Your browser blocks cookies and site data of this portal')
  await page.getByLabel('Username').fill(DEMO_USERS.admin)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  await expect(banner).toContainText('Your browser blocks cookies and site data of this portal')
})
