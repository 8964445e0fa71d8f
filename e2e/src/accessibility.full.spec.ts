import type { Page } from '@playwright/test'
import { axeProblems } from './axe.ts'
import { navigate } from './navigate.ts'
import { visitScreens, waitForPaint } from './screens.ts'
import { styleProblems } from './style-audit.ts'
import { expect, type RoleName, test } from './test.ts'

const SIZES = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
type Scheme = 'light' | 'dark'

/** Appearances of the checked pages. Only `npm run storm` checks those with the tag. */
const APPEARANCES: readonly {
  readonly size: keyof typeof SIZES
  readonly schemes: readonly Scheme[]
  readonly tag: string[]
}[] = [
  { size: 'wide', schemes: ['light'], tag: [] },
  { size: 'wide', schemes: ['dark'], tag: ['@storm'] },
  { size: 'phone', schemes: ['light', 'dark'], tag: ['@storm'] },
]

/** Axe's colour rules. The other rules give the same results in the light and the dark scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** Viewport at which a page must not scroll horizontally: 1280 pixels at 400 % (WCAG 1.4.10). */
const REFLOW_VIEWPORT = { width: 320, height: 700 } as const
const expectSoft = expect.configure({ soft: true })

/** Reports a soft failure if the page scrolls horizontally at the reflow width. */
async function checkReflow(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!
  await page.setViewportSize(REFLOW_VIEWPORT)
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  await expectSoft.poll(overflow, { message: `${name}, pixels beyond the right edge` }).toBeLessThanOrEqual(0)
  await page.setViewportSize(before)
}

/**
 * Checks a page with axe and by the rules of the face, and reports problems as soft failures. Starts with the current scheme, because repainting a
 * page in other colours takes as long as checking it. Only a check that includes light applies all rules.
 */
async function checkPage(page: Page, name: string, schemes: readonly Scheme[]): Promise<void> {
  const isDark = await page.evaluate<boolean>(`matchMedia('(prefers-color-scheme: dark)').matches`)
  const inOrder = isDark ? schemes.toReversed() : schemes
  for (const colorScheme of inOrder) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await waitForPaint(page)
    const problems = await axeProblems(
      page,
      schemes.includes('light') && colorScheme === inOrder[0] ? {} : { rules: COLOUR_RULES },
    )
    expect.soft(problems, `${name}, ${colorScheme}`).toEqual([])
    expect.soft(await styleProblems(page), `${name}, ${colorScheme}, style`).toEqual([])
  }
  if (page.viewportSize()!.width < SIZES.wide.width) await checkReflow(page, name)
}

/** Screens that several roles share are checked once, as the role that sees the most on them. */
const ADMIN_SCREENS = ['vmdetails', 'class', 'billing', 'logs', 'ports', 'scheduler', 'restriction'].map(
  (name) => `/vm/${name}`,
)
const SKIPPED: Readonly<Record<RoleName, readonly string[]>> = {
  user: ['/vm/billing', '/vm/logs'],
  admin: [],
  superadmin: [...ADMIN_SCREENS, '/createvm'],
  sandboxuser: [],
  awssandboxuser: [],
}

for (const { size, schemes, tag } of APPEARANCES) {
  test.describe(`${size}, ${schemes.join(' and ')}`, { tag }, () => {
    test.use({ viewport: SIZES[size] })
    const check = (page: Page, name: string) => checkPage(page, name, schemes)
    for (const [role, skipped] of Object.entries(SKIPPED) as [RoleName, readonly string[]][]) {
      test(`axe finds no problems on the screens of ${role}`, async ({ signedIn }) => {
        test.slow(
          role === 'superadmin',
          'A superadmin has the most screens: checking them takes a minute on a slow machine.',
        )
        const page = await signedIn(role)
        await visitScreens(page, (path) => check(page, path), skipped)
        if (role !== 'user') return
        await navigate(page, '/account')
        await expect(page.getByRole('table', { name: 'Sessions' })).toBeVisible()
        await check(page, '/account')
        await navigate(page, '/overview')
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('Permission Error')
        await check(page, 'Permission Error')
      })
    }
    test('axe finds no problems on the public pages', async ({ page }) => {
      for (const path of ['/login', '/forgot', '/set-up', '/sign-in', '/privacy', '/welcome']) {
        await page.goto(path)
        await check(page, path)
      }
      await page.route('**/api/user/invitation', (route) =>
        route.fulfill({ json: { email: 'asha@acme.test', organization: 'Acme Learning' } }),
      )
      await page.goto(`/invitation#token=00000000-0000-4000-8000-000000000000.${'a'.repeat(43)}`)
      await expect(page.getByLabel('New password')).toBeFocused()
      await check(page, '/invitation')
      await page.evaluate(() => localStorage.setItem('uid', 'any'))
      await page.goto('/password')
      await expect(page.getByLabel('Current password')).toBeFocused()
      await check(page, '/password')
    })
  })
}
