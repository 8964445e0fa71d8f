import type { Page } from '@playwright/test'
import { navigate } from './navigate.ts'
import type { Portal } from './portal.ts'
import { expect, NEW_PASSWORD, signIn, test } from './test.ts'

const FIRST = 'a good long password'
const SECOND = 'quite another one'
const THIRD = 'the third of them'

/** Waits for the given number of mails with a link to the address. Returns the link in the newest one. */
async function linkTo(portal: Portal, email: string, count: number): Promise<string> {
  const linkMails = async () =>
    (await portal.mails()).filter(({ to, text }) => to.includes(email) && text.includes('#token='))
  await expect.poll(async () => (await linkMails()).length).toBe(count)
  return /https?:\/\/\S+#token=\S+/.exec((await linkMails()).at(-1)!.text)![0]
}

const apiOf = (page: Page) => async (method: string, path: string, data: object) => {
  const uid = await page.evaluate(() => localStorage.getItem('uid'))
  const headers = { authorization: `Bearer ${uid}` }
  return (await page.request.fetch(`/api${path}`, { method, headers, data })).status()
}

async function openUsers(page: Page): Promise<(email: string) => ReturnType<Page['getByRole']>> {
  await navigate(page, '/overview')
  const users = page.getByRole('table', { name: 'User', exact: true })
  await expect(users).toBeVisible()
  return (email) => users.getByRole('row').filter({ hasText: email })
}

async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Create User' }).click()
  const form = page.getByRole('dialog', { name: 'Create User' })
  await form.getByRole('button', { name: 'Invite instead' }).click()
  await expect(form.getByText('Enter an e-mail address such as')).toBeVisible()
  await expect(form.getByText('Must not be empty.')).toHaveCount(0)
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Organization').selectOption('Acme Learning')
  await form.getByLabel('User Type').selectOption('user')
  await form.getByRole('button', { name: 'Invite instead' }).click()
  await expect(page.getByRole('status').filter({ hasText: `An invitation is on its way to ${email}.` })).toBeVisible()
}

async function setPassword(page: Page, link: string, password: string): Promise<void> {
  // Navigating to an address that differs only in the fragment would not reload the page.
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Set password and continue' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
}

test(
  'invites a user, who resets a forgotten password by mail and changes it',
  { tag: '@storm' },
  async ({ signedIn, portal, browser }) => {
    const email = 'forgetful@acme.test'
    const superadmin = await signedIn('superadmin')
    const rowOf = await openUsers(superadmin)
    await invite(superadmin, email)
    await expect(rowOf(email)).toContainText('Invited')
    const first = await linkTo(portal, email, 1)
    await superadmin.getByRole('button', { name: `Resend the invitation of ${email}` }).click()
    const invitation = await linkTo(portal, email, 2)
    expect(invitation).not.toBe(first)

    const context = await browser.newContext({ baseURL: portal.url })
    const page = await context.newPage()
    await test.step('the first link has expired, the newest sets a password', async () => {
      await page.goto(first)
      await expect(page.getByRole('alert')).toContainText('This link is no longer valid.')
      await setPassword(page, invitation, FIRST)
      await superadmin.reload()
      await expect(rowOf(email)).toContainText(email)
      await expect(rowOf(email)).not.toContainText('Invited')
    })

    await test.step('the user resets the password by mail', async () => {
      await page.goto('/logout')
      await expect(page).toHaveURL(/\/login/)
      await page.getByRole('link', { name: 'Forgot Password?' }).click()
      await page.getByLabel('Username').fill(email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await expect(page.getByRole('status')).toContainText('If there is an account for this e-mail')
      const link = await linkTo(portal, email, 3)
      await setPassword(page, link, SECOND)
      await page.goto('about:blank')
      await page.goto(link)
      await expect(page.getByRole('alert')).toContainText('This link is no longer valid.')
      await expect(page.getByLabel('New password')).toBeHidden()
    })

    await test.step('the user changes the password on Account Security, and a mail reports it', async () => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Account Security' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Security')
      const form = page.getByRole('region', { name: 'Password' })
      const change = async (current: string, next: string) => {
        await form.getByRole('textbox', { name: 'Current password' }).fill(current)
        await form.getByRole('textbox', { name: 'New password' }).fill(next)
        await form.getByRole('button', { name: 'Change password' }).click()
      }
      await change('', '')
      await expect(form.getByText('Enter your current password.')).toBeVisible()
      await change(FIRST, THIRD)
      await expect(page.getByRole('alert')).toHaveText('The current password is wrong.')
      await change(SECOND, THIRD)
      await expect(page.getByRole('status').filter({ hasText: 'Your password was changed.' })).toBeVisible()
      await expect
        .poll(
          async () => (await portal.mails()).filter(({ subject }) => subject === 'Your password was changed').length,
        )
        .toBe(2)
      await page.goto('/logout')
      await expect(page).toHaveURL(/\/login/)
      await signIn(page, email, THIRD)
    })
    await context.close()
  },
)

test('rejects the link of a revoked invitation', { tag: '@storm' }, async ({ signedIn, portal, browser }) => {
  const email = 'revoked@acme.test'
  const superadmin = await signedIn('superadmin')
  const rowOf = await openUsers(superadmin)
  await invite(superadmin, email)
  const link = await linkTo(portal, email, 1)
  await superadmin.getByRole('button', { name: `Revoke the invitation of ${email}` }).click()
  await expect(rowOf(email)).not.toContainText('Invited')
  const context = await browser.newContext({ baseURL: portal.url })
  const page = await context.newPage()
  await page.goto(link)
  await expect(page.getByRole('alert')).toContainText('This link is no longer valid.')
  await context.close()
})

test("lists a user's sessions and ends them", { tag: '@storm' }, async ({ signedIn, browser, portal }) => {
  // Separate user, because other tests reuse the sessions of the demo accounts.
  const email = 'manywhere@acme.test'
  const person = { email, organization: 'Acme Learning', userType: 'user', password: NEW_PASSWORD }
  expect(await apiOf(await signedIn('superadmin'))('POST', '/admin/users', person)).toBe(200)
  const currentSession = await browser.newContext({ baseURL: portal.url })
  const page = await currentSession.newPage()
  await signIn(page, email, NEW_PASSWORD)
  const others = await Promise.all([1, 2].map(() => browser.newContext({ baseURL: portal.url })))
  const pages = await Promise.all(others.map((context) => context.newPage()))
  for (const other of pages) await signIn(other, email, NEW_PASSWORD)
  await page.getByRole('link', { name: 'Account Security' }).click()
  const sessions = page.getByRole('table', { name: 'Sessions' })
  const rows = sessions.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows.filter({ hasText: 'This session' })).toHaveCount(1)
  await expect(rows.first()).toContainText(/Chrome on \w+.*127\.0\.0\.1/)
  const before = await rows.count()
  expect(before).toBeGreaterThanOrEqual(3)
  await page
    .getByRole('button', { name: /^End the session of Chrome/ })
    .first()
    .click()
  await expect(rows).toHaveCount(before - 1)
  await page.getByRole('button', { name: 'End all others' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
  await expect(rows).toHaveCount(1)
  for (const other of pages) {
    // A call of the open page may redirect to the login page during this navigation.
    await other.goto('/account').catch(() => {})
    await expect(other).toHaveURL(/\/login/)
  }
  await page.reload()
  await expect(rows).toHaveCount(1)
  for (const context of [currentSession, ...others]) await context.close()
})

test('requires a user to change an assigned password first if the organisation demands it', async ({
  signedIn,
  portal,
  browser,
}) => {
  const superadmin = await signedIn('superadmin')
  const organization = 'Strict Academy'
  const call = apiOf(superadmin)
  expect(await call('POST', '/admin/organization', { organization })).toBe(200)
  const security = { organization, passwordChangeRequired: true }
  expect(await call('PATCH', '/admin/organization/security', security)).toBe(200)
  const person = { email: 'tara@strict.test', organization, userType: 'admin', password: NEW_PASSWORD }
  expect(await call('POST', '/admin/users', person)).toBe(200)

  const context = await browser.newContext({ baseURL: portal.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('Username').fill(person.email)
  await page.getByLabel('Password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change Your Password')
  await page.getByRole('button', { name: 'Change password and continue' }).click()
  await expect(page.getByLabel('Current password')).toBeFocused()
  await expect(page.getByLabel('Current password')).toHaveAccessibleDescription('Enter your current password.')
  await page.getByLabel('Current password').fill('not the password')
  await page.getByLabel('New password').fill(SECOND)
  await page.getByRole('button', { name: 'Change password and continue' }).click()
  await expect(page.getByRole('alert')).toHaveText('The current password is wrong.')
  await page.getByLabel('Current password').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Change password and continue' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await context.close()
})
