import { once } from 'node:events'
import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { median, table } from './figures.ts'
import type { PageLoad } from './page-load.ts'

export interface Reference {
  readonly url: string
  /** Selector of a row. */
  readonly row: string
  stop(): void
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' }

/**
 * Builds the plain React page in bench/reference and serves it as the portal serves its files: over HTTP/1.1, compressed
 * with Brotli of the same quality.
 * @param machines reply of the page's only call
 */
export async function startReference(machines: readonly object[]): Promise<Reference> {
  const files = new Map((await buildPage()).map(({ fileName, text }) => [`/${fileName}`, replyOf(fileName, text, 11)]))
  files.set('/', files.get('/index.html')!)
  files.set('/machines', replyOf('machines.json', JSON.stringify(machines), 2))
  const server = createServer((request, reply) => {
    const file = files.get(request.url!)
    if (file === undefined) reply.writeHead(404).end()
    else reply.writeHead(200, file.headers).end(file.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    row: 'li',
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function buildPage(): Promise<{ fileName: string; text: string }[]> {
  const built = (await build({
    root: fileURLToPath(new URL('../reference', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    build: { write: false, modulePreload: { polyfill: false } },
  })) as Rolldown.RolldownOutput
  return built.output.map((file) => ({
    fileName: file.fileName,
    text: file.type === 'chunk' ? file.code : String(file.source),
  }))
}

function replyOf(name: string, text: string, quality: number): { headers: OutgoingHttpHeaders; body: Buffer } {
  const body = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  const type = TYPES[name.split('.').at(-1)!] ?? 'application/json'
  const headers = { 'content-type': `${type}; charset=utf-8`, 'content-encoding': 'br', 'content-length': body.length }
  return { headers, body }
}

/** Goal of a time of the console, relative to that of the reference. */
const RATIO_MAX = 1.5

const COMPARED = [
  { what: 'first row, ms', figure: 'first', goal: true },
  { what: 'row with working buttons, ms', figure: 'ready', goal: false },
  { what: 'main thread blocked, ms', figure: 'blocked', goal: true },
  { what: 'main thread busy, ms', figure: 'busy', goal: true },
  { what: 'kB', figure: 'bytes', goal: false },
  { what: 'requests', figure: 'requests', goal: false },
] as const

/**
 * Prints medians of the console and of the reference, and their ratios. A plain page has no long task at all, and the
 * ratio of the blocked time is then not defined; the busy time of the main thread shows the difference of the work.
 * @returns true if each ratio with a goal is within it
 */
export function compare(console_: readonly PageLoad[], reference: readonly PageLoad[]): boolean {
  let isWithinLimits = true
  const rows = COMPARED.map(({ what, figure, goal }) => {
    const medianOf = (loads: readonly PageLoad[]) => median(loads.map((load) => load[figure]))
    const [portalMedian, referenceMedian] = [medianOf(console_), medianOf(reference)]
    const ratio = portalMedian === 0 ? 0 : portalMedian / referenceMedian
    const isWithin = !goal || ratio <= RATIO_MAX
    isWithinLimits &&= isWithin
    const digits = figure === 'bytes' ? [portalMedian / 1000, referenceMedian / 1000] : [portalMedian, referenceMedian]
    return [
      what,
      ...digits.map((value) => value.toFixed(0)),
      Number.isFinite(ratio) ? ratio.toFixed(2) : 'none',
      goal ? `${RATIO_MAX}` : '',
      isWithin ? '' : 'OVER',
    ]
  })
  console.log(table(['figure', 'console', 'plain React page', 'ratio', 'goal', ''], rows))
  return isWithinLimits
}
