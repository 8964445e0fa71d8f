import { test as base, type BrowserContext, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '@trainyard/demo/server/organisations.ts'
import { type Portal, startPortal } from './portal.ts'

export { expect }

export const DEMO_USERS = {
  user: 'learner@acme.test',
  admin: 'admin@acme.test',
  superadmin: 'superadmin@demo.test',
  sandboxuser: 'sandbox@demo.test',
  awssandboxuser: 'aws@demo.test',
} as const
export type RoleName = keyof typeof DEMO_USERS
export const PASSWORD = DEMO_PASSWORD
/** Password of users that tests create: new passwords must not contain the product's name. */
export const NEW_PASSWORD = 'a quiet lamp of ours 4'

type SavedSession = Awaited<ReturnType<BrowserContext['storageState']>>
const NO_SESSION: SavedSession = { cookies: [], origins: [] }

export type SignedIn = PerTest['signedIn']

interface PerTest {
  /**
   * Returns a page with a signed-in user of the role, at `path` or at Home. Each worker signs in once per role and
   * reuses the session.
   */
  readonly signedIn: (role: RoleName, path?: string) => Promise<Page>
  /**
   * Returns a page of a user in a separate browser context with its own storage. Pages of the same user share a
   * session.
   */
  readonly newPageAs: (email: string, path?: string) => Promise<Page>
}
interface PerWorker {
  readonly portal: Portal
  readonly sessions: Sessions
}
/** Sessions by e-mail, with the time of the portal's clock when each was opened. */
type Sessions = Map<string, SavedSession & { readonly openedAt: Date }>

/** Time for which a session is reused, in ms: calls that change how users sign in need a sign-in within 5 minutes. */
const REUSED_MS = 3 * 60_000

export const test = base.extend<PerTest, PerWorker>({
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const portal = await startPortal(0)
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  sessions: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      await use(new Map())
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ portal }, use) => {
    await use(portal.url)
  },
  signedIn: async ({ page, portal, sessions }, use) => {
    await use(async (role, path) => {
      // An open page would notice the end of its session and redirect to the login page, which would interrupt the next
      // navigation.
      if (page.url() !== 'about:blank') await page.goto('about:blank')
      await openSignedIn(page, DEMO_USERS[role], { portal, sessions }, path)
      return page
    })
  },
  newPageAs: async ({ browser, portal, sessions }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (email, path) => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await openSignedIn(page, email, { portal, sessions }, path)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/**
 * Opens a page as a user, with the session of an earlier test if it is recent and still valid, otherwise with a new
 * one.
 */
async function openSignedIn(
  page: Page,
  email: string,
  { portal, sessions }: PerWorker,
  path: string | undefined,
): Promise<void> {
  const context = page.context()
  const cachedSession = sessions.get(email)
  const saved =
    cachedSession && portal.now().getTime() - cachedSession.openedAt.getTime() < REUSED_MS ? cachedSession : undefined
  await context.clearCookies()
  if (saved !== undefined) await context.addCookies(saved.cookies)
  if (saved !== undefined && (await context.request.get('/api/user/me')).ok()) {
    // Playwright's own function for setting the storage opens an extra page, which takes a quarter of a test's set-up
    // time.
    const storing = await page.addInitScript(
      (items) => {
        localStorage.clear()
        for (const { name, value } of items) localStorage.setItem(name, value)
      },
      saved.origins.flatMap((origin) => origin.localStorage),
    )
    await page.goto(path ?? '/')
    await storing.dispose()
  } else {
    await context.setStorageState(NO_SESSION)
    await signIn(page, email)
    sessions.set(email, { ...(await context.storageState()), openedAt: portal.now() })
    if (path !== undefined) await page.goto(path)
  }
  if (path === undefined) await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/(\?.*)?$/)
  // A navigation before the first screen is rendered would be lost.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

export const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
