import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startRun } from '@trainyard/server/start/test-run.ts'
import { freePort } from '@trainyard/platform/test/ports.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, NEW_PASSWORD, test } from './test.ts'

test('the operator of a new portal opens the link of its log and becomes the first superadmin', async ({ page }) => {
  const dir = mkdtempSync(join(tmpdir(), 'trainyard-set-up-'))
  const ports = { http: await freePort(), emulator: await freePort(), smtp: await freePort() }
  const portal = startRun(dir, ports)
  try {
    await expect.poll(portal.output, { timeout: 60_000 }).toContain('Press Ctrl-C to stop')
    const link = /Set up the portal, once: (\S+)/.exec(portal.output())![1]!
    await page.goto(new URL('/login', link).href)
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
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'Checks without problems' })).toBeVisible()

    await page.goto(new URL('/set-up', link).href)
    await expect(page.getByText('This portal is set up already. Please log in.')).toBeVisible()
    await expect(page.getByLabel('Set-up code')).toBeHidden()
  } finally {
    portal.child.kill('SIGINT')
    await portal.ended
    removeFolder(dir)
  }
})
