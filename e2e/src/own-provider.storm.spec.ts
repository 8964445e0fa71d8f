import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { expect, test } from './test.ts'

test('a learner signs in with their organisation from the login page, and signs out', async ({ page }) => {
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

test('an admin configures an identity provider, verifies the domain, and tests the sign-in', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('admin', '/admin/sign-in')
  const section = page.getByRole('region', { name: 'Sign-in With Your Provider' })
  await section.getByLabel('Issuer').fill(`${portal.emulatorUrl}/openid`)
  await section.getByLabel('Client ID').fill('trainyard')
  await section.getByLabel('Client Secret').fill('wrong')
  await section.getByLabel('Group Claim').fill('groups')
  await section.getByLabel('Groups').fill('lab-admins = admin')
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByText('No user has signed in with the saved settings yet.')).toBeVisible()

  await section.getByLabel('Domain', { exact: true }).fill('acme.test')
  await section.getByRole('button', { name: 'Add Domain' }).click()
  await section.getByRole('button', { name: 'Verify acme.test' }).click()
  await expect(page.getByRole('alert')).toContainText('does not contain the TXT record')
  const record = await section.getByText(/^trainyard-verification=/).innerText()
  await portal.postToEmulator('/_dns', { name: 'acme.test', texts: [record] })
  await section.getByRole('button', { name: 'Verify acme.test' }).click()
  await expect(section.getByText('Verified by DNS')).toBeVisible()
  expect(await axeProblems(page)).toEqual([])

  const tryAs = async () => {
    await section.getByRole('button', { name: 'Test Sign-in' }).click()
    await expect(section.getByText('It publishes 1 key.')).toBeVisible()
    await section.getByRole('button', { name: 'Try to Sign In' }).click()
  }
  await tryAs()
  await page.getByRole('link', { name: 'Acme’s admin' }).click()
  await expect(page.getByText('The provider rejected the client ID or the client secret.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Organisation Settings' }).click()

  await section.getByLabel('Client Secret').fill('emulated-client-secret')
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByLabel('Client Secret')).toHaveValue('')
  await tryAs()
  await expect(page.getByText('admin@acme.test signs in as admin, based on their groups.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to Organisation Settings' }).click()
  await expect(section.getByText(/^A user signed in with these settings on/)).toBeVisible()

  await section.getByLabel('Admins need a second factor there').check()
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(section.getByRole('button', { name: 'Save Provider' })).toBeDisabled()
  await tryAs()
  await expect(page.getByText('Sign-in does not work with these settings yet.')).toBeVisible()
  await expect(page.getByText('the claim amr must contain mfa')).toBeVisible()
})

test('explains that the identity provider is down, and offers the password login', async ({ page, portal }) => {
  await portal.postToEmulator('/_faults', { kind: 'serverError', operation: 'OpenId_Token', times: 1 })
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('learner@initech.test')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Peter G.' }).click()
  await expect(page.getByRole('alert')).toContainText("Your organisation's sign-in is not available right now:")
  await page.getByRole('link', { name: 'Log in with a password' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login')
})

test('Logout also ends the session at the identity provider if the organisation has enabled it', async ({
  page,
  portal,
}) => {
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
  await navigate(page, '/admin/sign-in')
  const section = page.getByRole('region', { name: 'Sign-in With Your Provider' })
  await section.getByLabel('Logout ends the session at the provider too').check()
  await section.getByRole('button', { name: 'Save Provider' }).click()
  await expect(page.getByText('The identity provider was saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login$/)

  // The session at the provider is still open, so it does not ask for credentials.
  await beginSignIn()
  await expect(home).toBeVisible()
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Sign out here too?' })).toBeVisible()
  // The portal session has ended, whatever the user answers at the provider.
  expect((await page.request.get('/api/user/me')).status()).toBe(401)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${portal.url}/login`)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)

  await beginSignIn()
  await expect(choose).toBeVisible()
})
