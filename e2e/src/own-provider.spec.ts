import { axeProblems } from './axe.ts'
import { goOn } from './go-on.ts'
import { expect, test } from './test.ts'

// @covers R15.1
test('a learner signs in with their organisation from the login page, and out again', async ({ page }) => {
  await page.goto('/login?next=%2Fvm%2Flogs')
  await page.getByLabel('Username').fill('learner@initech.test')
  await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  await expect(page.getByRole('heading', { name: 'Choose who signs in' })).toBeVisible()
  await page.getByRole('link', { name: 'Peter G.' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Session Logs')
  await expect(page).toHaveURL((url) => !url.search.includes('code'))
  const stored = await page.evaluate(() => ['email', 'organization', 'session'].map((key) => localStorage.getItem(key)))
  expect(stored).toEqual(['learner@initech.test', 'Initech Learning', 'user'])

  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

// @covers R15.2 R15.4
test('an admin sets a provider up, verifies the domain, and tests it', async ({ signedIn, portal }) => {
  const page = await signedIn('admin', '/admin/organisation')
  const section = page.getByRole('region', { name: 'Sign-in With Your Provider' })
  await section.getByLabel('Issuer').fill(`${portal.emulatorUrl}/openid`)
  await section.getByLabel('Client ID').fill('trainyard')
  await section.getByLabel('Client Secret').fill('wrong')
  await section.getByLabel('Group Claim').fill('groups')
  await section.getByLabel('Groups').fill('lab-admins = admin')
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByText('Nobody has signed in through the provider as it is saved now.')).toBeVisible()

  await section.getByLabel('Domain', { exact: true }).fill('acme.test')
  await section.getByRole('button', { name: 'Add Domain' }).click()
  await section.getByRole('button', { name: 'Verify acme.test' }).click()
  await expect(page.getByRole('alert')).toContainText('does not publish the text')
  const record = await section.getByText(/^trainyard-verification=/).innerText()
  await portal.tellEmulator('/_dns', { name: 'acme.test', texts: [record] })
  await section.getByRole('button', { name: 'Verify acme.test' }).click()
  await expect(section.getByText('Verified by DNS')).toBeVisible()
  expect(await axeProblems(page)).toEqual([])

  const tryAs = async () => {
    await section.getByRole('button', { name: 'Test Sign-in' }).click()
    await expect(section.getByText('It publishes a key.')).toBeVisible()
    await section.getByRole('button', { name: 'Try to Sign In' }).click()
  }
  await tryAs()
  await page.getByRole('link', { name: 'Acme’s admin' }).click()
  await expect(page.getByText('The provider does not take this client ID with this client secret.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Organisation Settings' }).click()

  await section.getByLabel('Client Secret').fill('emulated-client-secret')
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByLabel('Client Secret')).toHaveValue('')
  await tryAs()
  await expect(page.getByText('admin@acme.test comes in as admin, by their groups.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Organisation Settings' }).click()
  await expect(section.getByText(/^Somebody signed in through it on/)).toBeVisible()

  await section.getByLabel('Admins need a second factor there').check()
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByRole('button', { name: 'Save Provider' })).toBeDisabled()
  await tryAs()
  await expect(page.getByText('Nobody comes in like this yet.')).toBeVisible()
  await expect(page.getByText('the claim amr must list mfa')).toBeVisible()
})

// @covers R15.6
test('a provider that is down is told of in a sentence, with the other way in', async ({ page, portal }) => {
  await portal.tellEmulator('/_faults', { kind: 'serverError', operation: 'OpenId_Token', times: 1 })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('learner@initech.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Peter G.' }).click()
  await expect(page.getByRole('alert')).toContainText("Your organisation's sign-in does not work just now:")
  await page.getByRole('link', { name: 'Log in with a password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
})

test('where the organisation asks for it, Logout ends the session at the provider too', async ({ page, portal }) => {
  const beginSignIn = async () => {
    await page.goto('/login')
    await page.getByLabel('Username').fill('admin@initech.test')
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click()
  }
  const home = page.getByRole('heading', { level: 1, name: 'Home' })
  const choose = page.getByRole('heading', { name: 'Choose who signs in' })
  await beginSignIn()
  await page.getByRole('link', { name: 'Milton W.' }).click()
  await expect(home).toBeVisible()
  await goOn(page, '/admin/organisation')
  const section = page.getByRole('region', { name: 'Sign-in With Your Provider' })
  await section.getByLabel('Logout ends the session at the provider too').check()
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(page.getByText('The sign-in is saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)

  // The session at the provider goes on: nobody is asked there.
  await beginSignIn()
  await expect(home).toBeVisible()
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign out here too?' })).toBeVisible()
  // The session here has ended, whatever is answered there.
  expect((await page.request.get('/api/user/me')).status()).toBe(401)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${portal.url}/login`)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)

  await beginSignIn()
  await expect(choose).toBeVisible()
})
