import { loadavg } from 'node:os'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import {
  CHANGES_MS,
  FRAME_LIMIT,
  type Figure,
  frameFigure,
  framesOf,
  listMachines,
  openScreen,
  orderAll,
  powerAll,
  report,
  scroll,
} from './frames.ts'
import { CPU_SLOWDOWN, loadPage, type PageLoad } from './page-load.ts'
import { compare, startReference } from './reference.ts'
import { signIn } from './sign-in.ts'

/**
 * Measures the Virtual Lab Console with 400 machines. Frames are judged at full speed: a frame of 17 ms at a quarter of
 * the speed leaves 4 ms of the host's time.
 */
const MACHINES = 400
const RUNS = 5

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
  const reference = await startReference(await listMachines(page.request, portal.url, TRAINING.name))
  await page.close()

  const before = loadavg()[0]!
  const [loads, plainLoads] = [[] as PageLoad[], [] as PageLoad[]]
  for (let run = 0; run < RUNS; run++) {
    const context = { storageState: session }
    loads.push(await loadPage(browser, { url: portal.url + PATH, readyAt: ROW, context }))
    plainLoads.push(await loadPage(browser, { url: reference.url, readyAt: reference.row }))
  }
  reference.stop()
  const frames = []
  for (const [slowdown, limit] of [
    [1, FRAME_LIMIT],
    [CPU_SLOWDOWN, null],
  ] as const) {
    const viewport = { width: 1440, height: 900 }
    const consolePage = await openScreen(portal, browser, session, { path: PATH, readyAt: ROW, slowdown, viewport })
    frames.push(...(await framesAt(consolePage, slowdown, limit)))
  }

  console.log(`Load average before: ${before.toFixed(1)}, after: ${loadavg()[0]!.toFixed(1)}.`)
  console.log(`Medians of ${RUNS} loads on a slow phone, compared with a plain React page of the same machines:`)
  if (!compare(loads, plainLoads)) process.exitCode = 1
  report(frames)
} finally {
  await browser.close()
  await portal.stop()
}

async function framesAt(consolePage: Page, slowdown: number, limit: number | null): Promise<Figure[]> {
  const framesByLabel = {
    scrolling: await framesOf(consolePage, () => scroll(consolePage)),
    [`${MACHINES} states change`]: await framesOf(consolePage, () => changeAll(consolePage, 'Stopped')),
  }
  await changeAll(consolePage, 'Running')
  return Object.entries(framesByLabel).map(([label, frames]) =>
    frameFigure(`frame while ${label}, ms, p95, CPU ${slowdown} x slower`, frames, limit),
  )
}

/** Changes the states of all machines, and waits until the page shows it. */
async function changeAll(page: Page, status: 'Running' | 'Stopped'): Promise<void> {
  await powerAll(portal, page, TRAINING, status)
  await page
    .getByRole('group', { name: 'State' })
    .getByRole('button', { name: `${status} ${MACHINES}` })
    .waitFor({ timeout: CHANGES_MS })
}
