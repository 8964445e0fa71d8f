/** @module-tag full */
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Call, limitsOf, methodOf, pathOf, sizeOf } from '../../contract/call.ts'
import { contract } from '@trainyard/modules/contract.ts'
import { sharedPortal } from '../../test/shared.ts'

const portal = await sharedPortal({ TRUSTED_PROXIES: 'loopback' })

interface PublicCall {
  readonly method: string
  readonly path: string
  readonly bodyBytes: number
}

const declared = Object.values(contract)
  .flatMap((module) => Object.values(module as Record<string, Call>))
  .filter((call) => call.for === 'anyone')
const calls: readonly PublicCall[] = [
  ...declared.map((call) => ({ method: methodOf(call), path: pathOf(call), bodyBytes: sizeOf(call).bytes })),
  ...['/openapi.json', '/public/openapi.json', '/logo/:digest'].map((path) => ({ method: 'GET', path, bodyBytes: 0 })),
]

let sent = 0
/** Sends a request from another address each time, so that the rate limit does not answer it. */
const send = (method: string, path: string, body: string | undefined) =>
  fetch(`${portal.url}/api${path}`, {
    method,
    headers: headersFor(body),
    ...(body !== undefined && { body }),
  })

function headersFor(body: string | undefined) {
  sent += 1
  return {
    'x-forwarded-for': `10.${Math.floor(sent / 65_536) % 256}.${Math.floor(sent / 256) % 256}.${sent % 256}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
}

/** Sends a request as `ask` does, and reads the reply without decompressing it. */
const requestBytes = (method: string, path: string, body: string | undefined) =>
  new Promise<void>((resolve, reject) => {
    const headers = { ...headersFor(body), 'accept-encoding': 'br' }
    request(`${portal.url}/api${path}`, { method, headers }, (reply) => reply.resume().on('end', resolve))
      .on('error', reject)
      .end(body)
  })

/** Returns a JSON object of the given size whose fields are texts of the call's fields, or one text. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ email: '', phone: '1', companyName: 'School' })
  return JSON.stringify({
    email: 'a.'.repeat(bytes).slice(0, bytes - empty.length),
    phone: '1',
    companyName: 'School',
  })
}

test('every call without a session has a small body and a limit per address', () => {
  for (const call of declared) {
    const limits = limitsOf(call).map(({ per }) => per)
    expect([call.route, limits[0], sizeOf(call).bytes <= 100_000]).toEqual([call.route, 'address', true])
  }
})

const withBody = calls.filter(({ method }) => method !== 'GET').map((call) => [call.path, call] as const)

test.each(withBody)('%s accepts a body of its limit and refuses a larger one unread', async (path, call) => {
  const { bodyBytes } = call
  expect((await send(call.method, path, bodyOf(bodyBytes))).status).not.toBe(413)
  expect((await send(call.method, path, bodyOf(bodyBytes + 1))).status).toBe(413)
  // The body is sent without a length in advance.
  const streamed = await fetch(`${portal.url}/api${path}`, {
    method: call.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.200.0.1' },
    body: new Blob([bodyOf(bodyBytes * 2)]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(streamed.status).toBe(413)
})

test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  '%s with the largest body takes at most 25 times the CPU time of a probe',
  async (_name, call) => {
    const body = call.method === 'GET' ? undefined : bodyOf(call.bodyBytes)
    expect(await costInProbes(() => requestBytes(call.method, call.path, body))).toBeLessThan(COST_MAX)
  },
)

/** CPU time that a call without a session may take, as a multiple of the time of a liveness probe. */
const COST_MAX = 25

/** Returns the CPU time of a request as a multiple of the time of a liveness probe, measured in the same rounds. */
async function costInProbes(make: () => Promise<unknown>): Promise<number> {
  const timeOf = async (request: () => Promise<unknown>) => {
    const before = process.cpuUsage()
    for (let n = 0; n < 10; n += 1) await request()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  let [probe, cost] = [Infinity, Infinity]
  // The shortest round counts, because client, compilation and garbage collection run in the same process.
  for (let round = 0; round < 8; round += 1) {
    probe = Math.min(probe, await timeOf(() => requestBytes('GET', '/health/live', undefined)))
    cost = Math.min(cost, await timeOf(make))
  }
  return cost / probe
}

describe('a request with two Host headers', () => {
  const statusOf = (lines: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(portal.url)
      const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
      let reply = ''
      socket.setEncoding('utf8').on('data', (part) => {
        reply += String(part)
        if (reply.includes('\r\n')) resolve(reply.split('\r\n', 1)[0]!)
      })
      socket.on('error', reject).on('close', () => resolve(reply.split('\r\n', 1)[0]!))
    })
  const host = `Host: ${new URL(portal.url).host}`

  test.each([
    ['a call', ['GET /api/health/live HTTP/1.1']],
    ['a page', ['GET /login HTTP/1.1']],
    ['a file', ['GET /assets/x.js HTTP/1.1']],
    [
      'an upgrade',
      [
        'GET /api/remote/terminal HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ],
    ],
  ])('is refused for %s', async (_what, [line, ...headers]) => {
    expect(await statusOf([line!, host, 'Host: evil.test', ...headers])).toContain(' 400 ')
    expect(await statusOf([line!, host, host, ...headers])).toContain(' 400 ')
    expect(await statusOf([line!, host, 'Connection: close', ...headers])).not.toContain(' 400 ')
  })
})

test('images come from our own files only', async () => {
  const policy = (await fetch(`${portal.url}/api/health/live`)).headers.get('content-security-policy')!
  expect(policy).toContain("img-src 'self' data:;")
})

test('the pages for an LMS read forms of a limited size only', async () => {
  const post = async (type: string, body: string) => {
    const url = `${portal.url}/lti/login/00000000-0000-4000-8000-000000000000`
    return (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })).status
  }
  expect(await post('application/json', '{"state":{"toString":1}}')).toBe(400)
  expect(await post('application/json', JSON.stringify({ state: 'x'.repeat(100_000) }))).toBe(400)
  expect(await post('text/plain', 'state=x')).toBe(400)
  expect(await post('application/x-www-form-urlencoded', `state=${'x'.repeat(100_000)}`)).toBe(413)
})

test('the pages for an LMS read a limited number of fields, and cost no more than an anonymous call', async () => {
  const url = `${portal.url}/lti/launch/00000000-0000-4000-8000-000000000000`
  const post = (body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
  const many = Array.from({ length: 12_000 }, (_, n) => n.toString(16)).join('&')
  expect((await post(many)).status).toBe(413)
  expect((await post(`state=${'<'.repeat(60_000)}`)).status).toBe(413)
  expect((await post(`id_token=${'<'.repeat(40_000)}`)).status).toBe(400)
  const page = await (await post('state=s&id_token=a.b-c.d_e&lti_storage_target=x&other=unread')).text()
  expect(page).toContain('"values":{"state":"s","id_token":"a.b-c.d_e","lti_storage_target":"x"}')
  const largest = `id_token=${'a'.repeat(40_000)}&state=${'<'.repeat(4_000)}&error=${'<'.repeat(4_000)}`
  expect(await costInProbes(async () => expect((await post(largest)).status).toBe(200))).toBeLessThan(COST_MAX)
})

test.each(['/api/unknown', '/login', '/unknown'])(
  'the body of a request to %s, which is no call, is not read',
  async (path) => {
    const post = async (method: string, body: string) => {
      const headers = { 'content-type': 'application/json' }
      return (await fetch(portal.url + path, { method, headers, body })).status
    }
    expect(await post('POST', '['.repeat(200_000))).toBe(404)
    expect(await post('PUT', 'x'.repeat(1_100_000))).toBe(404)
  },
)

test.each([
  ['/user/invitation', {}],
  ['/user/password', { password: 'Quartz-window-2280' }],
  ['/registration/confirmation', {}],
  ['/registration/passkey', {}],
  ['/registration/confirm', { password: 'Quartz-window-2280' }],
])('%s refuses a token of the right length with more bytes', async (path, more) => {
  const token = `00000000-0000-4000-8000-000000000000.${'é'.repeat(43)}`
  expect((await send('POST', path, JSON.stringify({ token, ...more }))).status).toBe(404)
})
