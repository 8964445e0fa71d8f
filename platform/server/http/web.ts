import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface Web {
  readonly dir: string
  readonly inlineScripts: readonly string[]
  /** Path of a file that is missing or has another size than the build recorded; null: none. */
  readonly damage: string | null
  /** Address of the application's script, which changes with every build; null: nothing is built. */
  readonly version: string | null
  /** Returns the page for an LMS with what the LMS sent; null: not built. */
  ltiPage(posted: object): string | null
  pageFor(request: FastifyRequest): ((reply: FastifyReply) => FastifyReply) | null
}

const PUBLIC_PAGES = [
  'login',
  'logout',
  'invitation',
  'forgot',
  'password',
  'set-up',
  'sign-in',
  'welcome',
  'join',
  'privacy',
  'remote',
  'developers',
] as const

/** The page of a registration link has the link's code in its path. */
const pageOf = (name: string): string => name.replace(/^join\/[^/]*$/, 'join')
const APPLICATION = 'app.html'

/** List that the build writes: the paths of the application's screens. */
const PATH_LIST = '.paths.json'

/** Page where users change their password: https://w3c.github.io/webappsec-change-password-url/ */
const CHANGE_PASSWORD = ['/.well-known/change-password', '/account'] as const

/** Contact for reports of vulnerabilities: https://www.rfc-editor.org/rfc/rfc9116 */
const SECURITY = '/.well-known/security.txt'
const DAY_MS = 86_400_000

/** The text is made for each request, so that it has not expired while the portal runs. */
const securityText = (contact: string, publicUrl: string): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${new Date(Date.now() + 90 * DAY_MS).toISOString()}`,
    `Canonical: ${publicUrl}${SECURITY}`,
    '',
  ].join('\n')

/** Headers that only pages need. On each of forty scripts and styles they would be most of the bytes. */
const PAGE_ONLY_HEADERS = [
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

/** Addresses of the operator. */
interface Operator {
  /** Null: the portal's own page is served. */
  readonly privacyNotice: string | null
  /** Null: there is no security.txt. */
  readonly securityContact: string | null
  readonly publicUrl: string
}

export function readWeb(dir: string, { privacyNotice, securityContact, publicUrl }: Operator): Web {
  const damage = damagedFile(dir)
  const files = existsSync(dir) && damage === null ? readdirSync(dir).filter((name) => /^[^.].*\.\w+$/.test(name)) : []
  let lti: string | null = null
  const screens = new Set(
    existsSync(join(dir, PATH_LIST)) ? (JSON.parse(readFileSync(join(dir, PATH_LIST), 'utf8')) as string[]) : [],
  )
  const rootFiles = new Set(files.filter((name) => !/\.(?:html|br|gz)$/.test(name) && name !== 'manifest.json'))
  return {
    dir,
    damage,
    version: files.includes(APPLICATION) ? scriptOf(readFileSync(join(dir, APPLICATION), 'utf8')) : null,
    inlineScripts: [
      ...new Set(
        files
          .filter((name) => name.endsWith('.html'))
          .flatMap((name) => inlineScriptsOf(readFileSync(join(dir, name), 'utf8'))),
      ),
    ],
    ltiPage: (posted) => {
      lti ??= files.includes('lti.html') ? readFileSync(join(dir, 'lti.html'), 'utf8') : null
      // The text is data within a script element, so `<` must not end the element.
      return lti?.replace(POSTED, () => `>${JSON.stringify(posted).replaceAll('<', '\\u003c')}</script>`) ?? null
    },
    pageFor(request) {
      const path = request.url.split('?', 1)[0]!
      if (!['GET', 'HEAD'].includes(request.method) || /^\/(?:api|assets)(?:\/|$)/.test(path)) return null
      if (rootFiles.has(path.slice(1))) return (reply) => reply.sendFile(path.slice(1))
      if (path === CHANGE_PASSWORD[0]) return (reply) => reply.redirect(CHANGE_PASSWORD[1])
      if (path === SECURITY && securityContact !== null)
        return (reply) => reply.type('text/plain; charset=utf-8').send(securityText(securityContact, publicUrl))
      const name = path.replaceAll(/^\/|\/$/g, '')
      if (name === 'privacy' && privacyNotice !== null) return (reply) => reply.redirect(privacyNotice)
      // Serving the application instead of the login page would redirect a signed-out user forever.
      const page = PUBLIC_PAGES.some((each) => each === pageOf(name)) ? `${pageOf(name)}.html` : APPLICATION
      if (!files.includes(page))
        return (reply) =>
          reply
            .code(503)
            .type('text/plain')
            .send(damage === null ? NOT_BUILT : damagedText(damage))
      // The application says so at an unknown path, and finds its screens regardless of case.
      const isKnown = page !== APPLICATION || screens.has(`/${name.toLowerCase()}`)
      if (!isKnown && request.headers.accept?.includes('text/html') !== true) return null
      // Browsers revalidate the page on each request. The reply is 304 while it is unchanged.
      return (reply) => {
        if (name === 'remote') allowWebAssembly(reply)
        return reply
          .code(isKnown ? 200 : 404)
          .header('cache-control', 'no-cache')
          .sendFile(page, { cacheControl: false })
      }
    },
  }
}

/** Place of the posted values in the page, see addons/lti/web/Lti.tsx. */
const POSTED = '>{}</script>'

const NOT_BUILT = 'The web app is not built.\n'
const damagedText = (file: string): string =>
  `${file} of the web app is incomplete. The operator must build the web app again: npm run build -w web\n`

/** List that the build writes last: the size of each of its files. */
const FILE_LIST = '.files.json'

/**
 * Returns a file of the build that is missing or incomplete, for example because the disk was full while it was copied.
 * Null if there is none, or no list of files.
 */
function damagedFile(dir: string): string | null {
  const list = join(dir, FILE_LIST)
  if (!existsSync(list)) return null
  try {
    const sizes = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, number>>
    const isWhole = ([file, size]: [string, number]) =>
      statSync(join(dir, file), { throwIfNoEntry: false })?.size === size
    return Object.entries(sizes).find((entry) => !isWhole(entry))?.[0] ?? null
  } catch {
    return FILE_LIST
  }
}

export async function serveWeb(server: FastifyInstance, { dir, damage }: Web): Promise<void> {
  if (damage !== null) server.log.error(damagedText(damage).trimEnd())
  if (!existsSync(dir) || damage !== null) return
  await server.register(fastifyStatic, {
    root: dir,
    // File names in this folder contain a hash of the content. Other addresses below it are a 404, not a page.
    prefix: '/assets/',
    serve: false,
    preCompressed: true,
    index: false,
  })
  server.get('/assets/*', { schema: { hide: true } }, (request, reply) => {
    const { '*': file } = request.params as { '*': string }
    for (const header of PAGE_ONLY_HEADERS) reply.removeHeader(header)
    return reply.sendFile(`assets/${file}`, { maxAge: '365d', immutable: true })
  })
}

function allowWebAssembly(reply: FastifyReply): void {
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
