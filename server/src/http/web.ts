import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface Web {
  readonly dir: string
  /** base64 of the sha256 of each script that stands in a page itself. */
  readonly inlineScripts: readonly string[]
  /** The script of the application's page, whose address changes with every build; null: nothing is built. */
  readonly version: string | null
  /** Sends the page that an address without a call of its own shows; null where there is none to send. */
  pageFor(request: FastifyRequest): ((reply: FastifyReply) => FastifyReply) | null
}

/** Pages with a file of their own, at `/name`; every other address is the application's. */
const PUBLIC_PAGES = ['login', 'logout', 'invitation', 'forgot', 'password', 'sign-in', 'welcome', 'remote'] as const
const APPLICATION = 'app.html'

/** Only pages need these headers: with each of forty scripts and styles they would be most of the bytes. */
const OF_PAGES = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/** Reads what was built, once: a page built later is served after the next start. */
export function readWeb(dir: string): Web {
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => /^[^.].*\.\w+$/.test(name)) : []
  const rest = new Set(files.filter((name) => !/\.(?:html|br|gz)$/.test(name) && name !== 'manifest.json'))
  return {
    dir,
    version: files.includes(APPLICATION) ? scriptOf(readFileSync(join(dir, APPLICATION), 'utf8')) : null,
    inlineScripts: [
      ...new Set(
        files
          .filter((name) => name.endsWith('.html'))
          .flatMap((name) => inlineScriptsOf(readFileSync(join(dir, name), 'utf8'))),
      ),
    ],
    pageFor(request) {
      const path = request.url.split('?', 1)[0]!
      if (!['GET', 'HEAD'].includes(request.method) || /^\/(?:api|assets)(?:\/|$)/.test(path)) return null
      if (rest.has(path.slice(1))) return (reply) => reply.sendFile(path.slice(1))
      const name = path.replaceAll(/^\/|\/$/g, '')
      // The application in the place of the login page would send whoever is signed out there again and again.
      const page = PUBLIC_PAGES.some((each) => each === name) ? `${name}.html` : APPLICATION
      if (!files.includes(page))
        return (reply) => reply.code(503).type('text/plain').send('The web app is not built.\n')
      // Asked for anew each time, and answered with 304 while it is the same.
      return (reply) => {
        if (name === 'remote') allowEngine(reply)
        return reply.code(200).header('cache-control', 'no-cache').sendFile(page, { cacheControl: false })
      }
    },
  }
}

export async function serveWeb(server: FastifyInstance, { dir }: Web): Promise<void> {
  if (!existsSync(dir)) return
  await server.register(fastifyStatic, {
    root: dir,
    // Files of this folder carry a hash of what is in them; an address that is none of them is no page.
    prefix: '/assets/',
    serve: false,
    preCompressed: true,
    index: false,
  })
  server.get('/assets/*', { schema: { hide: true } }, (request, reply) => {
    const { '*': file } = request.params as { '*': string }
    for (const header of OF_PAGES) reply.removeHeader(header)
    return reply.sendFile(`assets/${file}`, { maxAge: '365d', immutable: true })
  })
}

/** The remote desktop's engine is WebAssembly, which a page compiles only with this; no other page may. */
function allowEngine(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
  void reply.header('content-security-policy', policy.replace('script-src ', "script-src 'wasm-unsafe-eval' "))
}

const scriptOf = (html: string): string | null =>
  /<script type="module"[^>]* src="(\/assets\/[^"]+)"/.exec(html)?.[1] ?? null

function inlineScriptsOf(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, script]) =>
    createHash('sha256').update(script!).digest('base64'),
  )
}
