import { goOn } from './go-on.ts'
import { ACCOUNTS, expect, PASSWORD, signIn, test } from './test.ts'

// @covers R5.1 R9.1
test('a wrong password and an unknown user get the same sentence, in the red banner', async ({ page }) => {
  const told: string[] = []
  for (const email of [ACCOUNTS.admin, 'nobody@acme.test']) {
    await page.goto('/login')
    await page.getByLabel('Username').fill(email)
    await page.getByLabel('Password').fill('not-the-password')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('alert')).toContainText('Login failed.')
    told.push(await page.getByRole('alert').innerText())
  }
  expect(told[0]).toBe(told[1])
})

// @covers R1.1 R2.22 R5.1
test('a protected page leads to the login, which leads on to that page', async ({ page }) => {
  await page.goto('/vm/vmdetails')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Username').fill(ACCOUNTS.admin)
  await page.getByLabel('Password').fill('demo-Trainyard-1')
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Virtual Lab Console' })).toBeVisible()
})

// @covers A1
test('no address that a login is opened with leads to another site', async ({ page, portal }) => {
  const asked: string[] = []
  await page.route(
    (url) => url.origin !== portal.url,
    (route) => {
      asked.push(route.request().url())
      return route.abort()
    },
  )
  const nexts = [
    '/.//evil.test',
    '/a/..//evil.test',
    '/%2e//evil.test',
    '/.\\/evil.test',
    '/\t/evil.test',
    '//evil.test',
  ]
  for (const next of nexts) {
    await page.goto(`/login?next=${encodeURIComponent(next)}`)
    await page.getByLabel('Username').fill(ACCOUNTS.admin)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  }
  expect(asked).toEqual([])
})

// @covers R2.1 R2.2 R5.2
test('logout empties the local storage and ends the session', async ({ page }) => {
  await signIn(page, ACCOUNTS.user)
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  expect((await page.request.get('/api/user/me')).status()).toBe(401)
})

// @covers R5.3
test('a session that ended elsewhere leads to the login at the next call', async ({ page, browser, portal }) => {
  const elsewhere = await browser.newContext({ baseURL: portal.url })
  const uidOfNew = async () => {
    await signIn(page, ACCOUNTS.user)
    return page.evaluate(() => localStorage.getItem('uid'))
  }
  const end = async (uid: string | null) => {
    const ended = await elsewhere.request.post('/api/user/logout', { headers: { authorization: `Bearer ${uid}` } })
    expect(ended.status()).toBe(200)
  }
  await end(await uidOfNew())
  // A call of the open page may lead away before this step of it does.
  await goOn(page, '/vm/vmdetails').catch(() => {})
  await expect(page).toHaveURL(/\/login/)

  // A page that is loaded anew has the ended session in its storage. Nothing is open meanwhile that would lead away.
  const uid = await uidOfNew()
  await page.goto('about:blank')
  await end(uid)
  await page.goto('/vm/vmdetails', { waitUntil: 'commit' })
  await expect(page).toHaveURL(/\/login/)
  await elsewhere.close()
})

// @covers R3.1 R3.2 R3.3 R6.1 R9.1
test('the login wants both fields, says that it is working, and shows a failure in red', async ({ page }) => {
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
  let asked = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/api/user/login', (route) => {
    asked += 1
    return held.promise.then(() => route.continue())
  })
  const login = page.getByRole('button', { name: 'Login' })
  for (const [label, text] of [
    ['Username', ACCOUNTS.user],
    ['Password', 'not-the-password'],
  ] as const) {
    await login.click()
    await expect(page.getByLabel(label)).toBeFocused()
    await page.getByLabel(label).fill(text)
  }
  expect(asked).toBe(0)
  await login.click()
  await expect(page.getByRole('button', { name: 'Logging in...' })).toBeDisabled()
  held.resolve()
  const banner = page.getByRole('alert')
  await expect(banner).toHaveText(/^Login failed\. .+/)
  const [red = 0, green = 0, blue = 0] = (
    await banner.evaluate((element) =>
      element.ownerDocument.defaultView!.getComputedStyle(element).color.match(/\d+/g)!,
    )
  ).map(Number)
  expect(red).toBeGreaterThan(2 * Math.max(green, blue))
  await expect(login).toBeEnabled()
})
