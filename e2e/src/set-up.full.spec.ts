import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '@trainyard/server/start/test-run.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, NEW_PASSWORD, test } from './test.ts'

const NO_CUSTOMER = 'First customer Not yet'

test('the operator of a new portal opens the link of its log and becomes the first superadmin', async ({ page }) => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-set-up-'))
  const ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  const portal = startRun(dir, ports)
  try {
    await expect.poll(portal.output, { timeout: 60_000 }).toContain('Press Ctrl-C to stop')
    const link = /Set up the portal, once: (\S+)/.exec(portal.output())![1]!
    await page.goto(new URL('/login', link).href)
    await expect(page.getByRole('alert')).toContainText('Open the link for the set-up, which its log shows')
    await page.getByLabel('Username').fill('asha@labs.test')
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('Open the link for the set-up, which its log shows')
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1, name: 'Set Up Trainyard' })).toBeVisible()
    await expect(page.getByLabel('Set-up code')).toHaveValue(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
    await expect(page.getByLabel('Your name')).toBeFocused()
    expect(new URL(page.url()).hash).toBe('')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.getByLabel('Your name').fill('Asha Rao')
    await page.getByLabel('E-mail').fill('asha@labs.test')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    const code = await page.getByLabel('Set-up code').inputValue()
    await page.getByLabel('Set-up code').fill('AAAA-AAAA-AAAA-AAAA')
    await page.getByRole('button', { name: 'Create the superadmin' }).click()
    await expect(page.getByRole('alert')).toHaveText(/^The code is wrong\./)
    await page.getByLabel('Set-up code').fill(code)
    await page.getByRole('button', { name: 'Create the superadmin' }).press('Enter')

    await expect(page.getByRole('heading', { level: 1, name: 'Portal Set-up' })).toBeVisible()
    const steps = page.getByRole('list', { name: 'Steps of the set-up' })
    const opened = steps.locator('details[open]')
    const states = async () => (await steps.locator('summary').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    await page.getByRole('button', { name: 'Try the connections' }).click()
    await expect
      .poll(states)
      .toEqual(['Portal Done', 'Supplier Not yet', 'Provider Not yet', 'Mail Not yet', NO_CUSTOMER])
    await expect(opened).toContainText('2 checks without problems.')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(steps.locator('summary').nth(1)).toBeFocused()
    await page.getByLabel('Legal Name').fill('Asha Labs')
    await steps.locator('summary').nth(2).click()
    await expect(page.getByLabel('Legal Name')).toBeHidden()
    await steps.locator('summary').nth(1).click()
    await expect(page.getByLabel('Legal Name')).toHaveValue('Asha Labs')
    await page.getByRole('button', { name: 'Save Supplier' }).click()
    await expect(opened).toContainText('Still missing in the supplier settings: GST number')
    await page.getByRole('button', { name: 'Skip Supplier' }).click()
    await expect(opened).toContainText('For real providers set AZURE_SUBSCRIPTION_ID')
    await expect(opened).toContainText('LXD_SOCKET and LXD_URL are not set')
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await page.getByRole('button', { name: 'Skip Provider' }).press('Enter')
    await page.getByRole('button', { name: 'Send a test e-mail' }).click()
    await expect(opened).toContainText(
      'The mail server accepted the e-mail to asha@labs.test: 250 The emulator keeps it',
    )
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(steps.getByRole('link', { name: 'Create the first VM card' })).toBeVisible()
    await page.reload()
    await expect.poll(states).toEqual(['Portal Done', 'Supplier Skipped', 'Provider Skipped', 'Mail Done', NO_CUSTOMER])

    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Checks without problems' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'First steps' }).getByRole('listitem').first()).toHaveText(
      '✓Done: Try the providers and the mail server',
    )

    await page.goto(new URL('/set-up', link).href)
    await expect(page.getByText('This portal is set up already. Please log in.')).toBeVisible()
    await expect(page.getByLabel('Set-up code')).toBeHidden()
  } finally {
    portal.child.kill('SIGINT')
    await portal.ended
    removeFolder(dir)
  }
})
