import { appCode } from '@trainyard/platform/test/app-code.ts'
import { SIZES, takePicture } from './picture.ts'
import { expect, signIn, test } from './test.ts'

/** The pictures show a wide light window and a dark phone window. */
for (const [size, colorScheme, email] of [
  ['wide', 'light', 'asha@acme.test'],
  ['phone', 'dark', 'vikram@acme.test'],
] as const) {
  test.describe(`${size}, ${colorScheme}`, () => {
    test.use({ viewport: SIZES[size], colorScheme })

    test('captures the second factor', async ({ page, portal }) => {
      await signIn(page, email)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
      const dialog = page.getByRole('dialog')
      const secret = await dialog.locator('code').innerText()
      await takePicture(page, `set-up-app.${size}.${colorScheme}`)
      await dialog.getByLabel('Code that the app shows').fill(appCode(secret, portal.now()))
      await dialog.getByRole('button', { name: 'Add the app' }).click()
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await takePicture(page, `recovery-codes.${size}.${colorScheme}`)
      await dialog.getByRole('button', { name: 'I have saved them' }).click()
      await expect(page.getByText('10 recovery codes left')).toBeVisible()
      await takePicture(page, `second-factor.${size}.${colorScheme}`)
      await page.goto('/logout')
      await page.getByLabel('Username').fill(email)
      await page.getByLabel('Password').fill('demo-Trainyard-1')
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByLabel('Code from your authenticator app')).toBeFocused()
      await takePicture(page, `second-step.${size}.${colorScheme}`)
    })
  })
}
