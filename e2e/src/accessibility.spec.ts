import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { goOn } from './go-on.ts'
import { settled, visitScreens } from './screens.ts'
import { expect, type RoleName, test } from './test.ts'

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Axe's rules on colours: the rest of a page is the same in light and dark. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** The width at which a page must do without being scrolled sideways: 1280 pixels at 400 % (WCAG, 1.4.10). */
const ENLARGED = { width: 320, height: 700 } as const
const softly = expect.configure({ soft: true })

/** Fails softly where a page is wider than a small telephone. */
async function enlarge(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!
  await page.setViewportSize(ENLARGED)
  const beyond = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  await softly.poll(beyond, { message: `${name}, pixels beyond the right edge` }).toBeLessThanOrEqual(0)
  await page.setViewportSize(before)
}

/**
 * Looks at a page, light and dark, and fails softly on what axe finds. It begins as the page before it ended: to paint
 * a page in other colours costs as much as to look at them.
 */
async function lookAt(page: Page, name: string): Promise<void> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const schemes = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    const problems = await axeProblems(page, colorScheme === schemes[0] ? {} : { rules: OF_COLOURS })
    expect.soft(problems, `${name}, ${colorScheme}`).toEqual([])
  }
  if (page.viewportSize()!.width < SIZES.wide.width) await enlarge(page, name)
}

/** A screen that several roles share is looked at once, as the role for which it shows most. */
const OF_ADMIN = ['vmdetails', 'class', 'billing', 'logs', 'ports', 'scheduler', 'restriction'].map(
  (name) => `/vm/${name}`,
)
const LEFT_OUT: Readonly<Record<RoleName, readonly string[]>> = {
  user: ['/vm/billing', '/vm/logs'],
  admin: [],
  superadmin: [...OF_ADMIN, '/createvm'],
  sandboxuser: [],
  awssandboxuser: [],
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, light and dark`, () => {
    test.use({ viewport })
    for (const [role, leftOut] of Object.entries(LEFT_OUT) as [RoleName, readonly string[]][]) {
      test(`axe finds nothing on the screens of ${role}`, async ({ signedIn }) => {
        test.slow(role === 'superadmin', 'They have the most screens: a slow machine looks at them for a minute.')
        const page = await signedIn(role)
        await visitScreens(page, (path) => lookAt(page, path), leftOut)
        if (role !== 'user') return
        await goOn(page, '/account')
        await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
        await lookAt(page, '/account')
        await goOn(page, '/overview')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permission Error')
        await lookAt(page, 'Permission Error')
      })
    }
    test('axe finds nothing on the public pages', async ({ page }) => {
      for (const path of ['/login', '/forgot', '/sign-in', '/welcome']) {
        await page.goto(path)
        await lookAt(page, path)
      }
      await page.route('**/api/user/invitation', (route) =>
        route.fulfill({ json: { email: 'asha@acme.test', organization: 'Acme Learning' } }),
      )
      await page.goto('/invitation#token=any')
      await expect(page.getByLabel('New password')).toBeFocused()
      await lookAt(page, '/invitation')
      await page.evaluate(() => localStorage.setItem('uid', 'any'))
      await page.goto('/password')
      await expect(page.getByLabel('Present password')).toBeFocused()
      await lookAt(page, '/password')
    })
  })
}
