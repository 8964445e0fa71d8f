import { chromium, type Page } from '@playwright/test'
import { findBrowser } from './browser.ts'
import { expect, test } from './test.ts'

const TOKEN = `00000000-0000-4000-8000-000000000000.${'a'.repeat(43)}`

const INCOMPLETE = 'This link is incomplete. Open the whole link in your e-mail again'
const NOT_VALID = 'This link is no longer valid.'
const LMS_ADDRESS = 'Your LMS opened an address that is incomplete or unknown to this portal.'

/** Addresses of public pages, with the sentence that explains what is wrong with the address. */
const DAMAGED = [
  ['/invitation', INCOMPLETE],
  ['/invitation#token=', INCOMPLETE],
  [`/invitation#token=${TOKEN.slice(0, 50)}`, INCOMPLETE],
  [`/invitation#token=${TOKEN}.`, NOT_VALID],
  ['/join', 'Enter the code of your registration link.'],
  ['/join/abcd', 'This registration link is incomplete.'],
  ['/join/%', 'The address of the request is not valid.'],
  ['/join/0000-0000-0000).', 'This registration link is not valid.'],
  ['/sign-in?state=half', 'This sign-in has expired or was not started in this browser.'],
  ['/lti/login/', LMS_ADDRESS],
  ['/lti/launch/00000000-0000', LMS_ADDRESS],
  ['/lti/launch/00000000-0000-4000-8000-000000000000', 'Open the activity in your course again.'],
  ['/lti/open', 'Open the activity in your course again.'],
  ['/lti/register/half', 'This registration address is incomplete.'],
  ['/remote', 'Login'],
] as const

test('public pages explain an address that is incomplete or no longer valid', async ({ page }) => {
  for (const [path, sentence] of DAMAGED) {
    await page.goto('about:blank')
    await page.goto(path)
    await expect(page.getByText(sentence).filter({ visible: true }).first(), path).toBeVisible()
  }
  await page.goto('/sign-in#50%')
  await expect(page.getByLabel('E-mail')).toHaveValue('50%')
})

const SIZES = [
  { width: 1366, height: 500 },
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
]
const PAGES = [
  '/login',
  '/logout',
  '/forgot',
  '/set-up',
  '/sign-in',
  '/invitation',
  `/invitation#token=${TOKEN}`,
  '/join',
  '/join/0000-0000-0000',
  '/lti/open',
  '/privacy',
  '/welcome',
  '/developers',
]

test('the script takes over public pages as the build has rendered them', async ({ page }) => {
  const errors: Error[] = []
  const sheets: string[] = []
  page.on('pageerror', (error) => errors.push(error))
  page.on('request', (request) => request.resourceType() === 'stylesheet' && sheets.push(request.url()))
  for (const path of PAGES.filter((each) => each !== '/developers')) {
    await page.goto('about:blank')
    await page.goto(path, { waitUntil: 'networkidle' })
  }
  expect(errors).toEqual([])
  // A style sheet of the console would change the page after it was shown.
  expect(sheets).toEqual([])
})

test('public pages show their forms without a script', async ({ browser, portal }) => {
  const context = await browser.newContext({ baseURL: portal.url, javaScriptEnabled: false })
  const page = await context.newPage()
  for (const path of ['/login', '/forgot', '/password', '/sign-in']) {
    await page.goto(path)
    await expect(page.getByRole('textbox').first(), path).toBeVisible()
  }
  await context.close()
})

/** Sums the layout shifts of a page from its start, also after a navigation. */
const watchShift = (page: Page) =>
  page.addInitScript(() => {
    let sum = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    Object.assign(globalThis, { layoutShift: () => sum })
  })

test('public pages open without layout shift', { tag: '@storm' }, async ({ portal }) => {
  const { ignoreDefaultArgs, ...options } = await findBrowser()
  const ignored = Array.isArray(ignoreDefaultArgs) ? ignoreDefaultArgs : []
  // Playwright hides scroll bars, which take space on desktops.
  const browser = await chromium.launch({ ...options, ignoreDefaultArgs: [...ignored, '--hide-scrollbars'] })
  for (const viewport of SIZES) {
    for (const bytesPerSecond of [-1, 15_000]) {
      const page = await browser.newPage({ viewport, baseURL: portal.url })
      await watchShift(page)
      const line = { offline: false, latency: 0, downloadThroughput: bytesPerSecond, uploadThroughput: -1 }
      await (await page.context().newCDPSession(page)).send('Network.emulateNetworkConditions', line)
      for (const path of PAGES) {
        // The developers' pages load megabytes.
        if (path === '/developers' && bytesPerSecond > 0) continue
        await page.goto('about:blank')
        await page.goto(path, { waitUntil: 'networkidle' })
        const shift = await page.evaluate(
          `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => layoutShift())`,
        )
        expect.soft(shift, `${path} at ${viewport.width}x${viewport.height}, ${bytesPerSecond} bytes/s`).toBe(0)
      }
      await page.close()
    }
  }
  await browser.close()
})
