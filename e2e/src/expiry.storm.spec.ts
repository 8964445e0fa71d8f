import { expectNoAxeProblems } from './expect-no-axe-problems.ts'
import { expect, test } from './test.ts'

test('a superadmin hides the warning about an expiring client secret, and is warned again on the last day', async ({
  signedIn,
  portal,
}) => {
  const page = await signedIn('superadmin')
  const warning = page.getByRole('main').getByText(/^The client secret portal/)
  const hide = page.getByRole('button', { name: /^Hide until/ })
  const setEnd = async (days: number) => {
    const secretEndsAt = new Date(portal.now().getTime() + (days + 0.5) * 86_400_000).toISOString()
    await portal.postToEmulator('/_tenant', { secretEndsAt })
    await portal.runTask('check expiry of credentials')
  }
  try {
    await setEnd(20)
    await expect(async () => {
      await page.reload()
      await expect(warning).toContainText('expires in 20 days', { timeout: 5_000 })
    }).toPass()
    await expectNoAxeProblems(page, [
      [1440, 'light'],
      [390, 'dark'],
    ])
    await expect(hide).toHaveText('Hide until 7 days before')
    await hide.click()
    await expect(warning).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(warning).toBeHidden()

    await setEnd(0)
    await expect(async () => {
      await page.reload()
      await expect(warning).toContainText('expires today', { timeout: 5_000 })
    }).toPass()
    await expect(warning).toContainText('Create a new one (Entra, App registrations, Certificates & secrets)')
    await expect(hide).toBeHidden()
  } finally {
    await portal.postToEmulator('/_tenant', {})
    await portal.runTask('check expiry of credentials')
  }
})
