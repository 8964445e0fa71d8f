import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { startPortalOn, type TestPortal } from '../../test/portal.ts'

const dir = mkdtempSync(join(tmpdir(), 'trainyard-web-'))
const SCRIPT = "document.title = 'inline'"
let database: TestDatabase
let portal: TestPortal

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'))
  const files = {
    'app.html': '<script type="module" src="/assets/app-1.js"></script>the application',
    'login.html': `<script>${SCRIPT}</script>the login page`,
    'manifest.json': '{}',
    'robots.txt': 'no robots',
    '.paths.json': '["/","/vm/vmdetails","/sandbox/azure"]',
    'assets/app-1.js': 'let app',
  }
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(dir, name), content)
    writeFileSync(join(dir, `${name}.br`), brotliCompressSync(`${content} (br)`))
  }
  database = await createTestDatabase(inject('testCluster'))
  portal = await startPortalOn(database.url, {}, { webDir: dir })
})
afterAll(async () => {
  await portal.close()
  await database.drop()
  rmSync(dir, { recursive: true, force: true })
})

/** Sends path and headers unchanged. `fetch` would normalise the path and add headers. */
const page = (path: string, headers: OutgoingHttpHeaders = {}) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer; body: string }>((resolve, reject) => {
    get(portal.url, { path, headers: { 'accept-encoding': 'identity', ...headers } }, (reply) => {
      buffer(reply).then(
        (bytes) => resolve({ status: reply.statusCode!, headers: reply.headers, bytes, body: bytes.toString() }),
        reject,
      )
    }).on('error', reject)
  })

test('does not fall back to the application for a missing public page, which would redirect forever', async () => {
  const { status, body } = await page('/logout')
  expect({ status, body }).toEqual({ status: 503, body: 'The web app is not built.\n' })
})

test.each([
  ['/login', 'the login page'],
  ['/login?next=/vm/ports', 'the login page'],
  ['/', 'the application'],
  ['/vm/vmdetails', 'the application'],
  ['/sandbox/azure', 'the application'],
])('serves %s as %s, revalidated on each request', async (path, words) => {
  const { status, headers, body } = await page(path)
  expect(status).toBe(200)
  expect(body).toContain(words)
  expect(headers['content-type']).toMatch(/^text\/html/)
  expect(headers['cache-control']).toBe('no-cache')
  const again = await page(path, { 'if-none-match': headers.etag })
  expect(again.status).toBe(304)
})

test('answers 404 at unknown paths, to a browser with the application, which says so', async () => {
  for (const path of ['/nowhere', '/vm', '/vm/vmdetails/more', '/favicon.ico', '/.well-known/security.txt']) {
    const { status, body } = await page(path)
    expect([path, status, body]).toEqual([path, 404, expect.stringContaining('"code":"notFound"')])
    const shown = await page(path, { accept: 'text/html,*/*;q=0.8' })
    expect([path, shown.status, shown.headers['content-type']]).toEqual([
      path,
      404,
      expect.stringMatching('^text/html'),
    ])
    expect(shown.body).toContain('the application')
  }
  expect((await page('/VM/vmdetails/?training=Linux')).status).toBe(200)
})

test('redirects the well-known address for changing passwords to Account Security', async () => {
  const { status, headers } = await page('/.well-known/change-password')
  expect([status, headers.location]).toEqual([302, '/account'])
})

test('lets hashed files be cached permanently, and answers 404 for missing files', async () => {
  const { headers, body } = await page('/assets/app-1.js')
  expect(body).toBe('let app')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-security-policy']).toBeUndefined()
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect((await page('/assets/app-2.js')).status).toBe(404)
  expect((await page('/robots.txt')).body).toBe('no robots')
})

test('sends files that the build has compressed', async () => {
  const sent = await page('/login', { 'accept-encoding': 'br' })
  expect(sent.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(sent.bytes).toString()).toMatch(/the login page \(br\)$/)
})

test('allows inline scripts of pages by hash only', async () => {
  const csp = (await page('/login')).headers['content-security-policy'] as string
  const hash = createHash('sha256').update(SCRIPT).digest('base64')
  expect(/script-src ([^;]*)/.exec(csp)![1]).toBe(`'self' 'sha256-${hash}' http://127.0.0.1:4010`)
})

test.each([
  '/../config.ts',
  '/assets/..%2f..%2fconfig.ts',
  '/assets/..%2f..%2f..%2f..%2fetc/passwd',
  '/assets/..%5c..%5cconfig.ts',
  '/assets/%2e%2e/app.html',
  '/assets/%2e%2e%2fapp.html',
  '/assets/.%00./app.html',
  '/assets/',
  '/assets//etc/passwd',
  '/.built-from',
  '/manifest.json',
])('%s exposes no private file and causes no internal error', async (path) => {
  const { status, body } = await page(path)
  expect(body).toMatch(/"code"/)
  expect(path.startsWith('/assets/') ? [400, 404] : [404]).toContain(status)
  expect(body).not.toMatch(/"internal"|node_modules|\bat /)
})

test('names the contact for vulnerabilities in security.txt if the operator has set one', async () => {
  const given = { SECURITY_CONTACT: 'mailto:security@example.com', PUBLIC_URL: 'https://portal.example.com' }
  const other = await startPortalOn(database.url, given, { webDir: dir })
  try {
    const reply = await fetch(`${other.url.replace(/\/api$/, '')}/.well-known/security.txt`)
    const [contact, expires, canonical] = (await reply.text()).split('\n')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(contact).toBe('Contact: mailto:security@example.com')
    expect(Date.parse(expires!.replace('Expires: ', ''))).toBeGreaterThan(Date.now())
    expect(canonical).toBe('Canonical: https://portal.example.com/.well-known/security.txt')
  } finally {
    await other.close()
  }
})

test("redirects /privacy to the operator's notice if a notice is set", async () => {
  const PRIVACY_NOTICE_URL = 'https://example.com/privacy?of=labs'
  const other = await startPortalOn(database.url, { PRIVACY_NOTICE_URL }, { webDir: dir })
  try {
    const reply = await fetch(`${other.url}/privacy`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, PRIVACY_NOTICE_URL])
    expect((await page('/privacy')).body).toBe('The web app is not built.\n')
  } finally {
    await other.close()
  }
})

test("states the web app's version on calls but not on pages", async () => {
  expect((await page('/api/health')).headers['x-web-version']).toBe('/assets/app-1.js')
  expect((await page('/')).headers['x-web-version']).toBeUndefined()
})

test('answers 503 instead of a page if a file of the build is incomplete', async () => {
  const brokenBuild = mkdtempSync(join(tmpdir(), 'trainyard-web-'))
  mkdirSync(join(brokenBuild, 'assets'))
  const script = 'let app = "complete"'
  writeFileSync(join(brokenBuild, 'app.html'), '<script type="module" src="/assets/app-1.js"></script>')
  writeFileSync(join(brokenBuild, 'assets/app-1.js'), script)
  writeFileSync(join(brokenBuild, '.paths.json'), '["/vm/machines"]')
  writeFileSync(join(brokenBuild, '.files.json'), JSON.stringify({ 'app.html': 54, 'assets/app-1.js': script.length }))
  const statusOf = async () => {
    const other = await startPortalOn(database.url, {}, { webDir: brokenBuild })
    const reply = await fetch(`${other.url}/vm/machines`)
    await other.close()
    return [reply.status, (await reply.text()).slice(0, 60)]
  }
  try {
    expect(await statusOf()).toEqual([200, expect.stringContaining('<script')])
    // The disk was full, or a copy was interrupted.
    writeFileSync(join(brokenBuild, 'assets/app-1.js'), script.slice(0, 8))
    expect(await statusOf()).toEqual([503, expect.stringContaining('assets/app-1.js of the web app is incomplete')])
    rmSync(join(brokenBuild, 'assets/app-1.js'))
    expect((await statusOf())[0]).toBe(503)
  } finally {
    rmSync(brokenBuild, { recursive: true, force: true })
  }
})
