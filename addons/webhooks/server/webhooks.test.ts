import type { LookupAddress } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Resolve } from '@trainyard/platform/server/providers/private-address.ts'
import { webhookSender, type WebhookSettings } from './webhooks.ts'

let answer: RequestListener
const requests: string[] = []
const server = createServer((request, reply) => {
  requests.push(request.url!)
  answer(request, reply)
})
let port: number
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const PUBLIC_ONLY = { emulator: null, privateRanges: [] }
const LOOPBACK: WebhookSettings = { emulator: null, privateRanges: ['127.0.0.0/8'] }
const noAbort = new AbortController().signal
const post = (url: string, settings = LOOPBACK, options?: Parameters<typeof webhookSender>[1]) =>
  webhookSender(settings, options).post(url, { 'webhook-id': 'a' }, '{}', noAbort)

test.each([
  ['http://hooks.example.com/'],
  ['ftp://hooks.example.com/'],
  ['https://127.0.0.1/'],
  ['https://127.1/'],
  ['https://0x7f000001/'],
  ['https://2130706433/'],
  ['https://0177.0.0.1/'],
  ['https://10.0.0.7/'],
  ['https://169.254.169.254/latest/meta-data/'],
  ['https://100.100.100.200/'],
  ['https://168.63.129.16/'],
  ['https://0.0.0.0/'],
  ['https://[::1]/'],
  ['https://[::]/'],
  ['https://[::ffff:127.0.0.1]/'],
  ['https://[::ffff:7f00:1]/'],
  ['https://[64:ff9b::7f00:1]/'],
  ['https://[fd00:ec2::254]/'],
  ['https://[fe80::1]/'],
  ['https://localhost/'],
  ['https://localhost./'],
  ['https://api.localhost/'],
  ['https://user:password@hooks.example.com/'],
  ['https://hooks.example.com/#a'],
  ['no address'],
])('refuses %s without a request', async (url) => {
  const webhooks = webhookSender(PUBLIC_ONLY, { resolve: () => expect.unreachable('resolves a host') })
  expect(webhooks.refusalOf(url)).not.toBeNull()
  expect(await webhooks.post(url, {}, '{}', noAbort)).toEqual({ error: webhooks.refusalOf(url) })
})

/** Answers each query for an address with the next list of addresses. */
function resolver(...lists: string[][]): { resolve: Resolve; queries: string[] } {
  const queries: string[] = []
  const resolve: Resolve = (host, _options, done) => {
    const found = lists[Math.min(queries.length, lists.length - 1)]!
    queries.push(host)
    done(
      null,
      found.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { resolve, queries }
}

test.each([
  ['127.0.0.1'],
  ['169.254.169.254'],
  ['168.63.129.16'],
  ['::ffff:10.0.0.7'],
  ['fd00::1'],
  ['8.8.8.8', '10.0.0.7'],
  ['2606:4700::1111', '::1'],
])('refuses a name that resolves to %s %s when it connects', async (...addresses) => {
  const { resolve } = resolver(addresses)
  expect(await post('https://hooks.example.com/', PUBLIC_ONLY, { resolve })).toEqual({
    error: 'hooks.example.com is an address of a private network, which is not allowed.',
  })
})

test('checks the addresses of every connection, and connects to the checked addresses', async () => {
  // The second answer rebinds the name to an address that is not allowed.
  const { resolve, queries } = resolver(['127.0.0.1'], ['169.254.169.254'])
  const webhooks = webhookSender(LOOPBACK, { resolve })
  const url = `https://hooks.example.com:${port}/`
  const first = await webhooks.post(url, {}, '{}', noAbort)
  // The server on loopback received the connection, but does not speak TLS.
  expect(first).toEqual({ error: expect.not.stringContaining('private network') as string })
  expect(queries).toEqual(['hooks.example.com'])
  expect(await webhooks.post(url, {}, '{}', noAbort)).toEqual({
    error: 'hooks.example.com is an address of a private network, which is not allowed.',
  })
  expect(queries).toHaveLength(2)
})

test('allows listed ranges and the receiver of the emulator, but no other address on its host', async () => {
  answer = (_request, reply) => reply.end('ok')
  expect(await post(`http://127.0.0.1:${port}/listed`)).toMatchObject({ status: 200, body: 'ok' })
  const emulator = { emulator: `http://127.0.0.1:${port}/webhooks/`, privateRanges: [] }
  expect(await post(`http://127.0.0.1:${port}/webhooks/receive`, emulator)).toMatchObject({ status: 200 })
  for (const path of ['/_faults', '/webhooks/../_faults', '/webhooks']) {
    expect(await post(`http://127.0.0.1:${port}${path}`, emulator)).toHaveProperty('error')
  }
  expect(await post('https://10.0.0.7/')).toHaveProperty('error')
})

test('follows no redirect', async () => {
  requests.length = 0
  answer = (_request, reply) => reply.writeHead(307, { location: '/elsewhere' }).end()
  expect(await post(`http://127.0.0.1:${port}/moved`)).toMatchObject({ status: 307 })
  expect(requests).toEqual(['/moved'])
})

test('reads a bounded part of an endless body, and leaves out secret headers', async () => {
  answer = (_request, reply) => {
    reply.writeHead(500, { 'set-cookie': 'session=secret', 'x-long': 'y'.repeat(5_000) })
    const more = () => void (reply.destroyed || (reply.write('x'.repeat(65_536)), setImmediate(more)))
    more()
  }
  const reply = await post(`http://127.0.0.1:${port}/endless`)
  expect(reply).toEqual({
    status: 500,
    headers: expect.objectContaining({ 'x-long': 'y'.repeat(200) }) as unknown,
    body: 'x'.repeat(2_048),
  })
  expect(Object.keys((reply as { headers: object }).headers)).not.toContain('set-cookie')
})

test('ends a request without a reply at the time limit; an endless body does not hide the status', async () => {
  answer = () => {}
  expect(await post(`http://127.0.0.1:${port}/silent`, LOOPBACK, { timeoutMs: 60 })).toEqual({
    error: 'No reply within 0.06 s.',
  })
  answer = (_request, reply) => void reply.writeHead(200).write('begin')
  expect(await post(`http://127.0.0.1:${port}/slow`, LOOPBACK, { timeoutMs: 1_000 })).toMatchObject({
    status: 200,
    body: 'begin',
  })
})

test('ends a request whose receiver switches to another protocol', async () => {
  answer = ({ socket }) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
  expect(await post(`http://127.0.0.1:${port}/upgrade`, LOOPBACK, { timeoutMs: 1_000 })).toEqual({
    error: `127.0.0.1:${port} closed the connection or cannot be reached.`,
  })
})

test('states why a host cannot be reached', async () => {
  expect(await post('http://127.0.0.1:1/')).toEqual({ error: '127.0.0.1:1 refused the connection.' })
  const unknown: Resolve = (_host, _options, done) =>
    done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
  expect(await post('https://hooks.example.com/', PUBLIC_ONLY, { resolve: unknown })).toEqual({
    error: 'hooks.example.com has no address.',
  })
})
