import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type APIRequestContext, type BrowserContextOptions, chromium } from '@playwright/test'
import { findBrowser } from '@trainyard/e2e/src/browser.ts'
import { startPortal } from '@trainyard/e2e/src/portal.ts'
import { median, table } from './figures.ts'
import { listMachines } from './frames.ts'
import { loadPage, type PageLoad } from './page-load.ts'
import { compare, startReference } from './reference.ts'
import { signIn } from './sign-in.ts'

/**
 * Measures the first load of pages on a slow phone. Times are compared with those of other pages in the same run: a page
 * of one line, and a plain React page with the same machines as the console.
 */
const RUNS = 8
const SHIFT_RUNS = 2
const TRAINING = 'Linux 101'
const CODE_MAX = 190
const REQUESTS_MAX = 30
/** The page with its script, which makes the form work. */
const LOGIN_KILOBYTES_MAX = 140
const PUBLIC_KILOBYTES_MAX = 8
const PHONE = { width: 390, height: 844 }

interface PublicPage {
  readonly path: string
  readonly readyAt?: string
  /** The page is for signed-in users. */
  readonly signedIn?: true
}

const portal = await startPortal(0)
const bareServer = createServer((_, reply) => void reply.setHeader('content-type', 'text/html').end('<h1>Bare'))
bareServer.listen(0, '127.0.0.1')
await once(bareServer, 'listening')
const bareUrl = `http://127.0.0.1:${(bareServer.address() as AddressInfo).port}/`
const browser = await chromium.launch(await findBrowser())
const load = (url: string, readyAt: string, context: BrowserContextOptions = {}) =>
  loadPage(browser, { url, readyAt, context })
try {
  const session = await signIn(browser, portal.url)
  const admin = await browser.newContext({ storageState: session })
  const machines = await listMachines(admin.request, portal.url, TRAINING)
  const joinPath = await createJoinLink(admin.request)
  await admin.close()
  const reference = await startReference(machines)
  const loads = { bare: [], login: [], welcome: [], console: [], reference: [] } as Record<string, PageLoad[]>
  for (let run = 0; run < RUNS; run++) {
    loads['bare']!.push(await load(bareUrl, 'h1'))
    loads['login']!.push(await load(`${portal.url}/login`, 'form'))
    loads['welcome']!.push(await load(`${portal.url}/welcome`, 'h1'))
    loads['console']!.push(
      await load(`${portal.url}/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`, '[role="listitem"]', {
        storageState: session,
      }),
    )
    loads['reference']!.push(await load(reference.url, reference.row))
  }
  reference.stop()

  const medianOf = (page: string, figure: keyof PageLoad) => median(loads[page]!.map((each) => each[figure]))
  const bare = medianOf('bare', 'paint')
  console.log(`Medians of ${RUNS}. A page of one line paints after ${bare.toFixed(0)} ms.`)
  const limits = [
    { page: 'login', kilobytes: LOGIN_KILOBYTES_MAX, requests: 10 },
    { page: 'welcome', kilobytes: PUBLIC_KILOBYTES_MAX, requests: 2 },
    { page: 'console', code: CODE_MAX, requests: REQUESTS_MAX },
  ]
  const rows = limits.map(({ page, kilobytes, code, requests }) => {
    const isWithin =
      medianOf(page, 'bytes') / 1000 <= (kilobytes ?? Number.POSITIVE_INFINITY) &&
      medianOf(page, 'code') / 1000 <= (code ?? Number.POSITIVE_INFINITY) &&
      medianOf(page, 'requests') <= requests
    return [
      page,
      withLimit((medianOf(page, 'bytes') / 1000).toFixed(1), kilobytes),
      withLimit((medianOf(page, 'code') / 1000).toFixed(1), code),
      withLimit(`${medianOf(page, 'requests')}`, requests),
      medianOf(page, 'paint').toFixed(0),
      (medianOf(page, 'paint') / bare).toFixed(2),
      isWithin ? 'ok' : 'OVER',
    ]
  })
  console.log(table(['page', 'kB', 'JS and CSS kB', 'requests', 'paint ms', 'x one line', ''], rows))
  console.log(`\nConsole with ${machines.length} machines, compared with a plain React page:`)
  const isFast = compare(loads['console']!, loads['reference']!)

  const publicPages: readonly PublicPage[] = [
    { path: '/login' },
    { path: '/welcome' },
    { path: '/forgot' },
    { path: '/password', signedIn: true },
    { path: '/sign-in' },
    { path: '/invitation' },
    { path: joinPath },
    { path: '/join' },
    { path: '/join/no-such-code' },
    { path: '/lti' },
    { path: '/privacy' },
    { path: '/developers', readyAt: '#reference h1' },
    { path: `/vm/vmdetails?training=${encodeURIComponent(TRAINING)}`, readyAt: '[role="listitem"]', signedIn: true },
  ]
  const shifts: string[][] = []
  for (const { path, readyAt = 'h1', signedIn } of publicPages) {
    const largest = []
    for (const viewport of [undefined, PHONE]) {
      const context = { ...(viewport && { viewport }), ...(signedIn && { storageState: session }) }
      let shift = 0
      for (let run = 0; run < SHIFT_RUNS; run++)
        shift = Math.max(shift, (await load(portal.url + path, readyAt, context)).shift)
      largest.push(shift)
    }
    const hasNoShift = largest.every((shift) => shift === 0)
    shifts.push([path, ...largest.map((shift) => shift.toFixed(4)), hasNoShift ? 'ok' : 'OVER'])
  }
  console.log(`\nLargest layout shift of ${SHIFT_RUNS} loads, limit 0:`)
  console.log(table(['page', 'desktop', 'phone', ''], shifts))
  const exceedsLimit = [...rows, ...shifts].some((row) => row.at(-1) === 'OVER')
  if (exceedsLimit || !isFast) process.exitCode = 1
} finally {
  await browser.close()
  bareServer.close()
  await portal.stop()
}

function withLimit(figure: string, limit: number | undefined): string {
  return limit === undefined ? figure : `${figure} of ${limit}`
}

/** Returns the path of a registration link that accepts learners. */
async function createJoinLink(admin: APIRequestContext): Promise<string> {
  const created = await admin.post(`${portal.url}/api/azure/registrationLinks`, {
    headers: { origin: portal.url },
    data: {
      trainingName: TRAINING,
      name: 'First load',
      seats: 10,
      opensAt: null,
      closesAt: null,
      domains: [],
      needsApproval: false,
      machine: null,
    },
  })
  if (!created.ok()) throw new Error(await created.text())
  const listed = await admin.get(`${portal.url}/api/azure/registrationLinks`, { params: { trainingName: TRAINING } })
  const { links } = (await listed.json()) as { links: readonly { code: string }[] }
  return `/join/${links[0]!.code}`
}
