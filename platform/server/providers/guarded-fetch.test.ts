import { lookup as systemLookup } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { guardedFetch, refusalOfAddress } from './guarded-fetch.ts'
import { isPrivateAddress } from './private-address.ts'

const requests: string[] = []
const server = createServer((request, reply) => {
  requests.push(request.url!)
  if (request.url === '/long') reply.end('x'.repeat(600 * 1024))
  else if (request.url === '/upgrade')
    request.socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
  else reply.writeHead(302, { location: '/secret' }).end()
})
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const policy = { emulator: null, privateHosts: [] }
const get = { method: 'GET', headers: {} }

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fd00::1',
  'fe80::1%eth0',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'no address',
])('%s is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test.each(['8.8.8.8', '20.190.128.1', '172.32.0.1', '2607:f8b0:4005:80a::200e'])('%s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

test.each([
  ['http://login.example.com/'],
  ['ftp://login.example.com/'],
  ['https://127.0.0.1/'],
  ['https://[::1]/'],
  ['https://[::ffff:10.0.0.1]/'],
  ['https://0x7f000001/'],
  ['https://2130706433/'],
  ['https://localhost/'],
  ['https://portal.localhost/'],
  ['https://user:password@login.example.com/'],
])('refuses requests to %s', async (address) => {
  expect(refusalOfAddress(new URL(address), policy)).not.toBeNull()
  await expect(guardedFetch(policy)(address, get)).rejects.toMatchObject({ kind: 'invalid' })
})

test('refuses a name that resolves to a private address, at connection time', async () => {
  // Each machine has a host name that matches none of the text checks. On some machines it does not resolve.
  const found = await lookup(hostname(), { all: true }).catch(() => [])
  const isPrivate = found.some(({ address }) => isPrivateAddress(address))
  const response = guardedFetch(policy, systemLookup)(`https://${hostname()}:1/`, get)
  await expect(response).rejects.toThrow(isPrivate ? 'an address of a private network' : 'does not respond')
  const trusted = { ...policy, privateHosts: [hostname()] }
  await expect(guardedFetch(trusted)(`https://${hostname()}:1/`, get)).rejects.toThrow('does not respond')
})

test('allows requests without TLS only to the emulator’s port, and follows no redirect', async () => {
  const reply = await guardedFetch({ ...policy, emulator: origin })(`${origin}/a`, get)
  expect([reply.status, requests]).toEqual([302, ['/a']])
  await expect(guardedFetch({ ...policy, emulator: 'http://127.0.0.1:1' })(`${origin}/b`, get)).rejects.toThrow('https')
  expect(requests).toEqual(['/a'])
})

test('stops reading a response that is too long', async () => {
  await expect(guardedFetch({ ...policy, emulator: origin })(`${origin}/long`, get)).rejects.toMatchObject({
    kind: 'too-long',
    message: `${new URL(origin).host} sends more than 512 kB.`,
  })
})

test('ends a request whose host switches to another protocol', async () => {
  await expect(guardedFetch({ ...policy, emulator: origin })(`${origin}/upgrade`, get)).rejects.toMatchObject({
    kind: 'unreachable',
  })
})

test.each([
  'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nhi',
  'HTTP/1.1 600 Odd\r\ncontent-length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhi',
])('reports a server as unreachable that answers %j, and continues', async (answer) => {
  const odd = createSocketServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(answer))
  })
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
  const emulator = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
  const reply = guardedFetch({ ...policy, emulator })(emulator, { ...get, signal: AbortSignal.timeout(2_000) })
  await expect(reply).rejects.toMatchObject({ kind: 'unreachable' })
  odd.close()
})
