import { loadavg } from 'node:os'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { median } from './figures.ts'
import {
  CHANGES_MS,
  FRAME_LIMIT,
  type Figure,
  frameFigure,
  framesOf,
  openScreen,
  orderAll,
  powerAll,
  report,
  scroll,
} from './frames.ts'
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
const READY_LIMIT = 2_500

const TRAINING = { name: 'Four Hundred', machines: MACHINES }
const PATH = '/vm/vmdetails?training=Four+Hundred'
const ROW = 'table[aria-label="Instances"] tbody tr'

const portal = await startPortal(0)
const browser = await chromium.launch(await findBrowser())
try {
  const session = await signIn(browser, portal.url)
  const page = await (await browser.newContext({ storageState: session })).newPage()
  await page.goto(portal.url)
  await orderAll(portal, page, TRAINING)
  await page.close()

  const before = loadavg()[0]!
  const ready = []
  for (let run = 0; run < RUNS; run++) ready.push(await firstRow(await browser.newContext({ storageState: session })))
  const frames = []
  for (const [slowdown, limit] of [
    [1, FRAME_LIMIT],
    [CPU_SLOWDOWN, null],
  ] as const) {
    const viewport = { width: 1440, height: 900 }
    const open = await openScreen(portal, browser, session, { path: PATH, readyAt: ROW, slowdown, viewport })
    frames.push(...(await framesAt(open, slowdown, limit)))
  }

  console.log(`Load average before: ${before.toFixed(1)}, after: ${loadavg()[0]!.toFixed(1)}.`)
  report([
    { what: `first row, ms, median of ${RUNS}`, figure: median(ready), limit: READY_LIMIT, more: ready.join(' ') },
    ...frames,
  ])
} finally {
  await browser.close()
  await portal.stop()
}

async function framesAt(open: Page, slowdown: number, limit: number | null): Promise<Figure[]> {
  const seen = {
    scrolling: await framesOf(open, () => scroll(open)),
    [`${MACHINES} states change`]: await framesOf(open, () => changeAll(open, 'Stopped')),
  }
  await changeAll(open, 'Running')
  return Object.entries(seen).map(([what, frames]) =>
    frameFigure(`frame while ${what}, ms, p95, CPU ${slowdown} x slower`, frames, limit),
  )
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

/** Changes the states of all machines, and waits until the page shows it. */
async function changeAll(page: Page, to: 'Running' | 'Stopped'): Promise<void> {
  await powerAll(portal, page, TRAINING, to)
  await page
    .getByRole('group', { name: 'State' })
    .getByRole('button', { name: `${to} ${MACHINES}` })
    .waitFor({ timeout: CHANGES_MS })
}
