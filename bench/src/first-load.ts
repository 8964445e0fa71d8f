import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { median, table } from './figures.ts'
import { type PageMetrics, metricsScript } from './page-metrics.ts'
import { signIn } from './sign-in.ts'

/** Measures the first load of a page on a slow phone. Times are compared with a minimal page in the same run. */
const RUNS = 8
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
const CPU_SLOWDOWN = 4

interface Visit {
  readonly bytes: number
  readonly code: number
  readonly requests: number
  /** Largest contentful paint, ms. */
  readonly paint: number
  /** Milliseconds until the page's main content is visible. For a static page this is its paint. */
  readonly ready: number
  /** Sum of the time of long tasks beyond 50 ms each, ms. */
  readonly blocked: number
  readonly shift: number
}

interface Subject {
  readonly name: string
  readonly path: string
  readonly readyAt: string
  readonly signedIn: boolean
  readonly limits: {
    readonly kilobytes?: number
    readonly code?: number
    readonly requests?: number
    readonly ready?: number
    readonly blocked?: number
  }
}

const SUBJECTS: readonly Subject[] = [
  { name: '/login', path: '/login', readyAt: 'form', signedIn: false, limits: { kilobytes: 8, requests: 2 } },
  { name: '/welcome', path: '/welcome', readyAt: 'h1', signedIn: false, limits: { kilobytes: 8, requests: 2 } },
  {
    name: 'console',
    path: '/vm/vmdetails?training=Linux+101',
    readyAt: '[role="listitem"]',
    signedIn: true,
    limits: { code: 190, requests: 30, ready: 2500, blocked: 800 },
  },
]

const portal = await startPortal(0)
const bareServer = createServer((_, reply) => void reply.setHeader('content-type', 'text/html').end('<h1>Bare'))
await new Promise<void>((resolve) => bareServer.listen(0, '127.0.0.1', resolve))
const barePage = `http://127.0.0.1:${(bareServer.address() as AddressInfo).port}/`
const browser = await chromium.launch(await findBrowser())
try {
  const session = await signIn(browser, portal.url)
  const bare = median(await repeat(async () => (await visit(await browser.newContext(), barePage, 'h1')).paint))
  const rows: string[][] = []
  let within = true
  for (const { name, path, readyAt, signedIn, limits } of SUBJECTS) {
    const visits = await repeat(async () =>
      visit(await browser.newContext(signedIn ? { storageState: session } : {}), portal.url + path, readyAt),
    )
    const of = (figure: keyof Visit) => median(visits.map((each) => each[figure]))
    const kilobytes = of('bytes') / 1000
    const code = of('code') / 1000
    const none = Number.POSITIVE_INFINITY
    const isWithinLimit =
      kilobytes <= (limits.kilobytes ?? none) &&
      code <= (limits.code ?? none) &&
      of('requests') <= (limits.requests ?? none) &&
      of('shift') < 0.01 &&
      of('ready') <= (limits.ready ?? none) &&
      of('blocked') <= (limits.blocked ?? none)
    within &&= isWithinLimit
    rows.push([
      name,
      besideLimit(kilobytes.toFixed(1), limits.kilobytes),
      besideLimit(code.toFixed(1), limits.code),
      besideLimit(`${of('requests')}`, limits.requests),
      of('paint').toFixed(0),
      (of('paint') / bare).toFixed(1),
      besideLimit(of('ready').toFixed(0), limits.ready),
      besideLimit(of('blocked').toFixed(0), limits.blocked),
      of('shift').toFixed(3),
      isWithinLimit ? 'ok' : 'OVER',
    ])
  }
  console.log(`Median of ${RUNS}. The minimal page paints after ${bare.toFixed(0)} ms.`)
  console.log(
    table(
      ['page', 'kB', 'JS and CSS kB', 'requests', 'paint ms', 'x bare', 'ready ms', 'blocked ms', 'shift', ''],
      rows,
    ),
  )
  if (!within) process.exitCode = 1
} finally {
  await browser.close()
  bareServer.close()
  await portal.stop()
}

function besideLimit(figure: string, limit: number | undefined): string {
  return limit === undefined ? figure : `${figure} of ${limit}`
}

async function repeat<T>(once: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let run = 0; run < RUNS; run++) all.push(await once())
  return all
}

async function visit(context: BrowserContext, url: string, readyAt: string): Promise<Visit> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  let bytes = 0
  const code: Promise<number>[] = []
  let requests = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  // The event stream stays open and is not part of the first load.
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.startsWith('data:') && !request.url.includes('/events')) requests += 1
  })
  page.on('requestfinished', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType()))
      code.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  await page.addInitScript(metricsScript(readyAt))
  await page.goto(url, { waitUntil: 'load' })
  await page.locator(readyAt).first().waitFor()
  await quiet(page)
  const seen = await page.evaluate<PageMetrics>('watched')
  const held = (await Promise.all(code)).reduce((sum, size) => sum + size, 0)
  await context.close()
  return { ...seen, bytes, code: held, requests }
}

/** Waits until the page no longer paints or computes: two idle callbacks, half a second apart. */
async function quiet(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => requestIdleCallback(() => setTimeout(() => requestIdleCallback(() => resolve()), 500)))',
  )
}
