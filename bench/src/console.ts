import { loadavg } from 'node:os'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { type Portal, startPortal } from '@trainyard/e2e/src/portal.ts'
import { median, percentile, table } from './figures.ts'
import { type PageMetrics, metricsScript } from './page-metrics.ts'
import { signIn } from './sign-in.ts'

/**
 * Measures the Virtual Lab Console with 400 machines. For the limits of frames on a slow CPU, see
 * docs/decisions/129-slow-cpu-benchmark.md.
 */
const MACHINES = 400
const RUNS = 5
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
const CPU_SLOWDOWN = 4
const SCROLL_MS = 6_000
const CHANGES_MS = 60_000
const LIMITS = { ready: 2_500, frame: 17 }

const TRAINING = 'Four Hundred'
const PATH = '/vm/vmdetails?training=Four+Hundred'
const ROW = 'table[aria-label="Instances"] tbody tr'

const portal = await startPortal(0)
const browser = await chromium.launch(await findBrowser())
try {
  const session = await signIn(browser, portal.url)
  const page = await (await browser.newContext({ storageState: session })).newPage()
  await page.goto(portal.url)
  await orderAll(portal, page)
  await page.close()

  const before = loadavg()[0]!
  const ready = []
  for (let run = 0; run < RUNS; run++) ready.push(await firstRow(await browser.newContext({ storageState: session })))
  const frames = []
  for (const [slowdown, limit] of [
    [1, LIMITS.frame],
    [CPU_SLOWDOWN, null],
  ] as const)
    frames.push(...(await framesAt(await openConsole(browser, session, slowdown), slowdown, limit)))

  console.log(`Load average before: ${before.toFixed(1)}, after: ${loadavg()[0]!.toFixed(1)}.`)
  const figures: Figure[] = [
    { what: `first row, ms, median of ${RUNS}`, figure: median(ready), limit: LIMITS.ready, more: ready.join(' ') },
    ...frames,
  ]
  console.log(
    table(
      ['figure', '', 'limit', '', ''],
      figures.map(({ what, figure, limit, more }) => [
        what,
        figure.toFixed(1),
        limit === null ? '' : `${limit}`,
        limit === null ? '' : figure <= limit ? 'ok' : 'OVER',
        more,
      ]),
    ),
  )
  if (figures.some(({ figure, limit }) => limit !== null && figure > limit)) process.exitCode = 1
} finally {
  await browser.close()
  await portal.stop()
}

interface Figure {
  readonly what: string
  readonly figure: number
  /** Null if the value is only reported. */
  readonly limit: number | null
  readonly more: string
}

async function framesAt(open: Page, slowdown: number, limit: number | null): Promise<Figure[]> {
  const seen = {
    scrolling: await framesOf(open, () => scroll(open)),
    [`${MACHINES} states change`]: await framesOf(open, () => powerAll(portal, open, 'Stopped')),
  }
  await powerAll(portal, open, 'Running')
  return Object.entries(seen).map(([what, frames]) => ({
    what: `frame while ${what}, ms, p95, CPU ${slowdown} x slower`,
    figure: percentile(frames, 95),
    limit,
    more: `${frames.length} frames, longest ${Math.max(...frames).toFixed(1)}`,
  }))
}

async function orderAll({ url }: Portal, page: Page): Promise<void> {
  const email = Array.from({ length: MACHINES }, (_, index) => `learner.${index + 1}@acme.test`)
  const reply = await page.request.post(`${url}/api/azure/machines`, {
    headers: { origin: url },
    data: {
      templateName: 'Ubuntu 24.04 Starter',
      email,
      trainingName: TRAINING,
      allocatedHours: 600,
      createVmCount: MACHINES,
      guacamole: true,
    },
  })
  if (!reply.ok()) throw new Error(await reply.text())
  await untilAll(page, url, (machine) => machine.isRunning)
}

interface Seen {
  readonly name: string
  readonly resourceGroup: string
  readonly isRunning: boolean
  readonly status: string
}

async function listOf(page: Page, url: string): Promise<Seen[]> {
  const reply = await page.request.get(`${url}/api/azure/machines`, { params: { trainingName: TRAINING } })
  return (await reply.json()) as Seen[]
}

async function untilAll(page: Page, url: string, are: (machine: Seen) => boolean): Promise<void> {
  const end = Date.now() + 180_000
  while (Date.now() < end) {
    const list = await listOf(page, url)
    if (list.length === MACHINES && list.every(are)) return
    await page.waitForTimeout(500)
  }
  throw new Error('The machines did not reach the expected state within three minutes.')
}

async function firstRow(context: BrowserContext): Promise<number> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.addInitScript(metricsScript(ROW))
  await page.goto(portal.url + PATH, { waitUntil: 'commit' })
  await page.locator(ROW).first().waitFor()
  await page.waitForFunction('watched.ready > 0')
  const { ready } = await page.evaluate<PageMetrics>('watched')
  await context.close()
  return Math.round(ready)
}

async function openConsole(
  browser: Browser,
  storageState: Awaited<ReturnType<typeof signIn>>,
  rate: number,
): Promise<Page> {
  const context = await browser.newContext({ storageState, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(portal.url + PATH)
  await page.locator(ROW).first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate })
  return page
}

async function framesOf(page: Page, during: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`
    globalThis.frames_ = []
    globalThis.watching = true
    let last = performance.now()
    requestAnimationFrame(function next(now) {
      frames_.push(now - last)
      last = now
      if (watching) requestAnimationFrame(next)
    })
  `)
  await during()
  const all = await page.evaluate<number[]>('watching = false, frames_')
  // The first interval ends when the recording starts.
  return all.slice(2)
}

async function scroll(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const began = performance.now()
    let down = true
    requestAnimationFrame(function next(now) {
      if (now - began > ${SCROLL_MS}) return resolve()
      const before = scrollY
      scrollBy({ top: down ? 54 : -54, behavior: 'instant' })
      if (scrollY === before) down = !down
      requestAnimationFrame(next)
    })
  })`)
  await page.evaluate('scrollTo(0, 0)')
}

/**
 * Stops or starts all machines with one call, as another browser window would, and waits until the page shows the
 * result.
 */
async function powerAll({ url }: Portal, page: Page, to: 'Running' | 'Stopped'): Promise<void> {
  const places = (await listOf(page, url)).map(({ name, resourceGroup }) => ({ name, resourceGroup }))
  const reply = await page.request.patch(`${url}/api/azure/machines`, {
    headers: { origin: url },
    data: [{ operation: to === 'Running' ? 1 : 0 }, ...places],
  })
  if (!reply.ok()) throw new Error(await reply.text())
  await page
    .getByRole('group', { name: 'State' })
    .getByRole('button', { name: `${to} ${MACHINES}` })
    .waitFor({ timeout: CHANGES_MS })
}
