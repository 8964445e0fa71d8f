import type { Browser, BrowserContextOptions, CDPSession, Page } from '@playwright/test'

/** Slow phone: 1.6 Mbit/s with a latency of 150 ms, and a CPU four times slower than that of this machine. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }
export const CPU_SLOWDOWN = 4

export interface PageLoad {
  /** Bytes of all replies, with their headers. */
  readonly bytes: number
  /** Bytes of scripts and style sheets that arrived before the main content could be used. */
  readonly code: number
  readonly requests: number
  /** Largest contentful paint, ms. */
  readonly paint: number
  /** Milliseconds until the first row, or other main content, is visible. */
  readonly first: number
  /** Milliseconds until the main content can be used. */
  readonly ready: number
  /** Total blocking time in ms: the sum of the part of each long task that exceeds 50 ms. */
  readonly blocked: number
  /** Time in ms that the main thread was busy, by the browser's own count. */
  readonly busy: number
  /** Sum of all layout shifts. */
  readonly shift: number
}

interface LoadOptions {
  readonly url: string
  /** Selector of an interactive element of the main content. The page is ready when it appears. */
  readonly readyAt: string
  readonly context?: BrowserContextOptions
}

/** Loads a page on a slow phone with an empty cache. */
export async function loadPage(browser: Browser, { url, readyAt, context: options }: LoadOptions): Promise<PageLoad> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Performance.enable')
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
  await page.addInitScript(metricsScript({ first: readyAt, ready: readyAt }))
  await page.goto(url, { waitUntil: 'load' })
  await page.locator(readyAt).first().waitFor()
  await page.waitForFunction('watched.ready > 0')
  const codeBytes = (await Promise.all(code)).reduce((sum, size) => sum + size, 0)
  await untilIdle(page)
  const busy = await busyTime(devtools)
  const watched = await page.evaluate<Pick<PageLoad, 'paint' | 'first' | 'ready' | 'blocked' | 'shift'>>('watched')
  await context.close()
  return { ...watched, bytes, code: codeBytes, requests, busy }
}

const metricsScript = (selectors: { readonly first: string; readonly ready: string }): string => `
  globalThis.watched = { paint: 0, first: 0, ready: 0, blocked: 0, shift: 0 }
  const observe = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true })
  observe('largest-contentful-paint', (entry) => { watched.paint = entry.startTime })
  observe('longtask', (entry) => { watched.blocked += entry.duration - 50 })
  observe('layout-shift', (entry) => { watched.shift += entry.value })
  for (const [figure, selector] of Object.entries(${JSON.stringify(selectors)})) {
    const look = () => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look)
      else requestAnimationFrame(() => { watched[figure] = performance.now() })
    }
    requestAnimationFrame(look)
  }
`

/** Waits until the page no longer paints or computes: two idle callbacks, half a second apart. */
async function untilIdle(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((resolve) => requestIdleCallback(() => setTimeout(() => requestIdleCallback(() => resolve()), 500)))',
  )
}

async function busyTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
}
