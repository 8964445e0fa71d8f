import type { Page } from '@playwright/test'
import { addAuthenticator } from './authenticator.ts'
import { axeProblems } from './axe.ts'
import { appCode } from '@trainyard/platform/test/app-code.ts'
import { navigate } from './navigate.ts'
import { type Portal, startPortal } from './portal.ts'
import { DEMO_USERS, expect, PASSWORD, signIn, test } from './test.ts'

/** Returns the portal's address with a host name, because passkeys do not work with an IP address. */
const hostUrl = (portal: Portal): string => portal.url.replace('127.0.0.1', 'localhost')

async function typePassword(page: Page, portal: Portal, email: string): Promise<void> {
  await page.goto(`${hostUrl(portal)}/login`)
  await page.getByLabel('Username').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
}

async function openSecurity(page: Page): Promise<void> {
  await navigate(page, '/account')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Security')
}

async function expectNoAxeProblems(page: Page, selector: string): Promise<void> {
  expect(await axeProblems(page, { within: selector })).toEqual([])
}

async function signOut(page: Page, portal: Portal): Promise<void> {
  await page.goto(`${hostUrl(portal)}/logout`)
  await expect(page).toHaveURL(/\/login/)
}

async function setUpApp(page: Page, portal: Portal): Promise<{ secret: string; codes: string[] }> {
  await openSecurity(page)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
  await expectNoAxeProblems(page, '[role=dialog]')
  const secret = await dialog.locator('code').innerText()
  await dialog.getByLabel('Code that the app shows').fill('000000')
  await dialog.getByRole('button', { name: 'Add the app' }).click()
  await expect(dialog.getByText('code does not match the code that the app shows now')).toBeVisible()
  await dialog.getByLabel('Code that the app shows').fill('')
  await dialog.getByLabel('Code that the app shows').pressSequentially(`  ${appCode(secret, portal.now())}`)
  await dialog.getByLabel('Code that the app shows').press('Enter')
  const codesDialog = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codesDialog.getByRole('listitem')).toHaveCount(10)
  await expectNoAxeProblems(page, '[role=dialog]')
  const codes = await codesDialog.getByRole('listitem').allInnerTexts()
  await codesDialog.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByText('10 recovery codes left')).toBeVisible()
  return { secret, codes }
}

test('a learner sets up an app, signs in with its code and with a recovery code, and removes it', async ({
  page,
  portal,
}) => {
  const loaded: string[] = []
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  await typePassword(page, portal, 'asha@acme.test')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  // A user without a second factor does not load the code for it.
  expect(loaded.filter((path) => path.includes('SecondStep'))).toEqual([])
  const { secret, codes } = await setUpApp(page, portal)

  await signOut(page, portal)
  await typePassword(page, portal, 'asha@acme.test')
  const code = page.getByLabel('Code from your authenticator app')
  await expect(code).toBeFocused()
  await expectNoAxeProblems(page, 'main')
  await code.fill('000000')
  await code.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('The code is wrong or was already used.')
  await portal.advanceClock(60)
  await code.fill('')
  // Typed key by key, because the browser limits the length of typed text only.
  await code.pressSequentially(` ${appCode(secret, portal.now()).replace(/(?=...$)/, ' - ')}`)
  await code.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')

  await signOut(page, portal)
  await typePassword(page, portal, 'asha@acme.test')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(codes[0]!)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await expect
    .poll(async () => (await portal.mails()).findLast(({ to }) => to.includes('asha@acme.test'))?.text)
    .toContain('A recovery code was used')

  await openSecurity(page)
  await expect(page.getByText('9 recovery codes left')).toBeVisible()
  await portal.advanceClock(6 * 60)
  await page.getByRole('button', { name: 'Remove the app' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await confirm.getByLabel('Code').fill('000000')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(confirm.getByText('The code is wrong or was already used.')).toBeVisible()
  await expectNoAxeProblems(page, '[role=dialog]')
  await confirm.getByLabel('Code').fill(appCode(secret, portal.now()))
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('No authenticator app is set up.')).toBeVisible()
  await signOut(page, portal)
  await typePassword(page, portal, 'asha@acme.test')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  expect(errors).toEqual([])
})

test('a learner adds a passkey, signs in with it instead of the password, and renames and deletes it', async ({
  page,
  portal,
}) => {
  await addAuthenticator(page)
  await typePassword(page, portal, 'vikram@acme.test')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await openSecurity(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Lab laptop')
  await expectNoAxeProblems(page, '[role=dialog]')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(page.getByRole('table', { name: 'Passkeys' })).toContainText('Lab laptop')
  await expectNoAxeProblems(page, 'main')

  await signOut(page, portal)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')

  await signOut(page, portal)
  await typePassword(page, portal, 'vikram@acme.test')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')

  await openSecurity(page)
  await page.getByRole('button', { name: 'Rename Lab laptop' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename Lab laptop' })
  await rename.getByRole('textbox', { name: 'Name' }).fill('Old laptop')
  await rename.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Delete Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No Passkey Found')).toBeVisible()
  await signOut(page, portal)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).not.toBeEmpty()
})

test('explains that a security key needs a PIN, at registration and at login', async ({ page, portal }) => {
  await addAuthenticator(page, false)
  const needsPin = 'A security key needs a PIN or a fingerprint'
  await typePassword(page, portal, 'meera@acme.test')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await openSecurity(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Key')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toContainText(needsPin)
  await page.goto(`${hostUrl(portal)}/logout`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText(needsPin)
})

test('at a numeric address, Account Security and the login page explain where passkeys work', async ({
  page,
  portal,
  signedIn,
}) => {
  await signedIn('user', '/account')
  await expect(page.getByRole('link', { name: hostUrl(portal) })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toHaveText('Passkeys work only at the portal’s configured address.')
})

test(
  'an admin sees the date from which a second factor is required, and can only set one up after it',
  { tag: '@storm' },
  async ({ page }) => {
    test.slow()
    // Separate portal: a week passes, in which every session ends.
    const portal = await startPortal(0)
    try {
      await typePassword(page, portal, DEMO_USERS.superadmin)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
      const uid = await page.evaluate(() => localStorage.getItem('uid'))
      const changed = await page.request.patch(`${hostUrl(portal)}/api/admin/organization/security`, {
        headers: { authorization: `Bearer ${uid}` },
        data: { organization: 'Acme Learning', secondFactor: 'required' },
      })
      expect(changed.status()).toBe(200)
      await signOut(page, portal)
      await typePassword(page, portal, DEMO_USERS.admin)
      const bar = page.getByRole('status').filter({ hasText: 'second factor' })
      await expect(bar).toHaveText(/^Your access level requires a second factor by \d\d \w{3} \d{4}\. Set one up in/)
      await expectNoAxeProblems(page, 'body')

      await portal.advanceClock(8 * 24 * 3600)
      await typePassword(page, portal, DEMO_USERS.admin)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Security')
      await expect(bar).toContainText('Everything else is locked')
      await setUpApp(page, portal)
      await expect(bar).toHaveCount(0)
      await page.goto(`${hostUrl(portal)}/vm/vmdetails`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Virtual Lab Console')
    } finally {
      await portal.stop()
    }
  },
)

test(
  "a superadmin requests a reset of a user's second factor, sees it pending, and withdraws it",
  { tag: '@storm' },
  async ({ signedIn, browser, portal }) => {
    const context = await browser.newContext()
    const learner = await context.newPage()
    await typePassword(learner, portal, 'meera@acme.test')
    await expect(learner.getByRole('heading', { level: 1 })).toHaveText('Home')
    await setUpApp(learner, portal)
    await context.close()

    const page = await signedIn('superadmin', '/overview')
    await page.getByRole('button', { name: 'Request a reset' }).click()
    const resetDialog = page.getByRole('dialog', { name: 'Reset a second factor' })
    await resetDialog.getByLabel('Email').fill('meera@acme.test')
    await resetDialog.getByRole('button', { name: 'Request a reset' }).click()
    await expect(page.getByText('Another superadmin must confirm the reset')).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw the reset for meera@acme.test' }).click()
    await expect(page.getByRole('dialog')).toContainText('You requested this reset')
    await expectNoAxeProblems(page, '[role=dialog]')
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw the reset' }).click()
    await expect(page.getByText('The reset for meera@acme.test was cancelled.')).toBeVisible()
  },
)

test(
  'a second superadmin, created on the command line, confirms a reset after a day; the requester cannot',
  { tag: '@storm' },
  async ({ browser }) => {
    test.slow()
    const LOCKED_OUT_USER = 'lena@globex.test'
    // A separate portal, because the clock is advanced by a day.
    const portal = await startPortal(0)
    try {
      const open = async () => (await browser.newContext({ baseURL: portal.url })).newPage()
      const printed = await portal.runCommand('superadmin', 'second@demo.test')
      const secondPage = await open()
      await secondPage.goto(/http\S+#token=\S+/.exec(printed)![0])
      await secondPage.getByLabel('New password').fill('a long phrase of mine 7')
      await secondPage.getByRole('button', { name: 'Set password and continue' }).click()
      await expect(secondPage.getByRole('heading', { level: 1 })).toHaveText('Home')
      const { secret } = await setUpApp(secondPage, portal)
      await portal.advanceClock(25 * 3600)

      const learner = await open()
      await signIn(learner, LOCKED_OUT_USER)
      await setUpApp(learner, portal)
      await learner.context().close()

      const requesterPage = await open()
      await signIn(requesterPage, DEMO_USERS.superadmin)
      await navigate(requesterPage, '/overview')
      await requesterPage.getByRole('button', { name: 'Request a reset' }).click()
      const resetDialog = requesterPage.getByRole('dialog', { name: 'Reset a second factor' })
      await resetDialog.getByLabel('Email').fill(LOCKED_OUT_USER)
      await resetDialog.getByRole('button', { name: 'Request a reset' }).click()
      await expect(requesterPage.getByText('Another superadmin must confirm the reset')).toBeVisible()
      await expect(requesterPage.getByRole('button', { name: `Confirm the reset for ${LOCKED_OUT_USER}` })).toHaveCount(
        0,
      )
      await requesterPage.context().close()

      await navigate(secondPage, '/overview')
      await secondPage.getByRole('button', { name: `Confirm the reset for ${LOCKED_OUT_USER}` }).click()
      const dialog = secondPage.getByRole('dialog', { name: `Second factor of ${LOCKED_OUT_USER}` })
      await expect(dialog).toContainText('superadmin@demo.test requested this reset.')
      await expectNoAxeProblems(secondPage, '[role=dialog]')
      await dialog.getByRole('button', { name: 'Confirm the reset' }).click()
      const proof = secondPage.getByRole('dialog', { name: 'Confirm that it is you' })
      await proof.getByLabel('Code').fill(appCode(secret, portal.now()))
      await proof.getByRole('button', { name: 'Confirm' }).click()
      await expect(secondPage.getByText(`The second factors of ${LOCKED_OUT_USER} were removed`)).toBeVisible()
      await secondPage.context().close()

      const again = await open()
      await signIn(again, LOCKED_OUT_USER)
      await expect(again.getByRole('heading', { level: 1 })).toHaveText('Home')
      await again.context().close()
      await expect
        .poll(async () => (await portal.mails()).findLast(({ to }) => to.includes(LOCKED_OUT_USER))?.text)
        .toContain('second factor')
    } finally {
      await portal.stop()
    }
  },
)
