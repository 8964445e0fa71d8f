import { test as base, type BrowserContext, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '@trainyard/server/src/demo/people.ts'
import { type Portal, startPortal } from './portal.ts'

export { expect }

/** The demo world's accounts, one for each role. */
export const ACCOUNTS = {
  user: 'learner@acme.test',
  admin: 'admin@acme.test',
  superadmin: 'superadmin@demo.test',
  sandboxuser: 'sandbox@demo.test',
  awssandboxuser: 'aws@demo.test',
} as const
export type RoleName = keyof typeof ACCOUNTS
export const PASSWORD = DEMO_PASSWORD

type SavedSession = Awaited<ReturnType<BrowserContext['storageState']>>
const NOBODY: SavedSession = { cookies: [], origins: [] }

interface PerTest {
  /**
   * A page of a signed-in person, at Home or where the test begins: each worker signs in once, and uses the session
   * again.
   */
  readonly signedIn: (role: RoleName, path?: string) => Promise<Page>
  /** A page of a person who sits elsewhere, in a browser with a storage of its own. Pages of one person share a session. */
  readonly another: (email: string, path?: string) => Promise<Page>
}
interface PerWorker {
  readonly portal: Portal
  readonly sessions: Map<string, SavedSession>
}

/** A test with the whole product behind it. */
export const test = base.extend<PerTest, PerWorker>({
  portal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from this pattern
    async ({}, use) => {
      const portal = await startPortal(0)
      await use(portal)
      await portal.stop()
    },
    { scope: 'worker', timeout: 180_000 },
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
  signedIn: async ({ page, sessions }, use) => {
    await use(async (role, path) => {
      // A page left open sees its session go, and its way to the login page would cut off the way to the next one.
      if (page.url() !== 'about:blank') await page.goto('about:blank')
      await arrive(page, ACCOUNTS[role], sessions, path)
      return page
    })
  },
  another: async ({ browser, sessions }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (email, path) => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await arrive(page, email, sessions, path)
      return page
    })
    for (const context of contexts) await context.close()
  },
})

/** Opens a page as a person, with the session that an earlier test left, or else a new one. */
async function arrive(
  page: Page,
  email: string,
  sessions: Map<string, SavedSession>,
  path: string | undefined,
): Promise<void> {
  const context = page.context()
  const saved = sessions.get(email)
  await context.clearCookies()
  if (saved !== undefined) await context.addCookies(saved.cookies)
  // A test may have ended the session that one before it signed in with.
  if (saved !== undefined && (await context.request.get('/api/user/me')).ok()) {
    // Playwright's own way to set a storage opens a page more for it, which costs a quarter of a test's beginning.
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
    await context.setStorageState(NOBODY)
    await signIn(page, email)
    sessions.set(email, await context.storageState())
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
}

/** The menu's entries, in order. */
export const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Screens' }).getByRole('link')
