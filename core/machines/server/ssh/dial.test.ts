import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NetworkRoute } from '@trainyard/platform/contract/words/network.ts'
import type { Gateways, MachineAddress } from '@trainyard/templates/server/machine-address.ts'
import { connectTo, dial } from './dial.ts'
import { accessProbe } from './access-probe.ts'

/** Proxy that records the requested addresses and answers with the machines' greetings. */
const proxy = createServer()
const requests: string[] = []
/** Greeting at each address, after which the connection is closed. */
const GREETINGS: Record<string, string> = {
  '198.51.100.7:22': 'SSH-2.0-first words',
  '198.51.100.1:22': 'Authorised people alone.\r\nSSH-1.99-old\r\n',
  '198.51.100.2:22': 'HTTP/1.1 400 Bad Request\r\n\r\nNo SSH-2.0-',
  '198.51.100.3:22': 'x'.repeat(20_000),
  '198.51.100.4:22': '',
  '198.51.100.1:3389': '\x03\x00\x00\x13\x0e\x50\x00',
  '198.51.100.2:3389': 'SSH-2.0-not this one',
}
/** Address that the proxy refuses without closing the connection itself. */
const REFUSED = '198.51.100.9:22'
const disconnected = Promise.withResolvers<void>()
let url: string

beforeAll(async () => {
  proxy.on('connect', (request, socket) => {
    requests.push(request.url!)
    socket.on('error', () => {})
    if (request.url === REFUSED) {
      socket.once('end', () => socket.end(disconnected.resolve)).resume()
      socket.write('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    socket.end(
      GREETINGS[request.url!] === undefined
        ? 'HTTP/1.1 502 Bad Gateway\r\n\r\n'
        : `HTTP/1.1 200 OK\r\n\r\n${GREETINGS[request.url!]}`,
    )
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(() => void proxy.close())

const noAbort = new AbortController().signal
const publicly = (address: string): MachineAddress => ({ address, network: null })
const privately = (
  address: string,
  ranges: readonly string[],
  route: NetworkRoute | 'host' = 'peering',
): MachineAddress => ({
  address,
  network: { id: 'labs', route, ranges },
})

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '168.63.129.16',
  '100.64.0.1',
  '100.100.100.200',
  '255.255.255.255',
  '::1',
  '::ffff:127.0.0.1',
  'localhost',
  '2130706433',
  '198.51.100.7:22',
  '',
])('rejects %s without a request to the proxy, because a cloud machine never has it', async (address) => {
  await expect(dial(publicly(address), { proxy: url }, noAbort)).rejects.toMatchObject({ kind: 'unreachable' })
  await expect(dial(publicly(address), { proxy: null }, noAbort)).rejects.toThrow(
    'is not a public address of a cloud machine',
  )
  expect(requests).toEqual([])
})

test('reaches a public address through the proxy, and keeps bytes received with its response', async () => {
  const socket = await dial(publicly('198.51.100.7'), { proxy: url }, noAbort)
  const [banner] = (await once(socket, 'data')) as [Buffer]
  expect(banner.toString()).toBe('SSH-2.0-first words')
  socket.destroy()
  await expect(dial(publicly('198.51.100.8'), { proxy: url }, noAbort)).rejects.toMatchObject({ kind: 'unreachable' })
  expect(requests).toEqual(['198.51.100.7:22', '198.51.100.8:22'])
})

test.each([
  ['198.51.100.7', 'Linux', true],
  ['198.51.100.1', 'Linux', true],
  ['198.51.100.2', 'Linux', false],
  ['198.51.100.3', 'Linux', false],
  ['198.51.100.4', 'Linux', false],
  ['198.51.100.8', 'Linux', false],
  ['198.51.100.1', 'Windows', false],
  ['198.51.100.2', 'Windows', false],
  ['127.0.0.1', 'Linux', false],
  ['169.254.169.254', 'Windows', false],
] as const)('probes %s for %s: %s', async (address, os, greets) => {
  expect(await accessProbe({ proxy: url }).responds(publicly(address), os, noAbort)).toBe(greets)
})

test('uses no proxy for a network of the host', async () => {
  const at = requests.length
  // No host answers in this range, which is for documentation.
  await expect(
    dial(privately('192.0.2.1', ['192.0.2.0/24'], 'host'), { proxy: url }, AbortSignal.timeout(100)),
  ).rejects.toMatchObject({ kind: 'unreachable' })
  expect(requests.length).toBe(at)
})

test('keeps an open direct connection when the time limit of connecting ends', async () => {
  const machine = createTcpServer((socket) => socket.pipe(socket))
  machine.listen(0, '127.0.0.1')
  await once(machine, 'listening')
  const limit = new AbortController()
  const socket = await connectTo('127.0.0.1', (machine.address() as AddressInfo).port, null, limit.signal)
  socket.on('error', () => {})
  limit.abort()
  socket.end('still here')
  expect(await text(socket)).toBe('still here')
  machine.close()
})

test('closes a connection that the proxy refused', async () => {
  await expect(dial(publicly('198.51.100.9'), { proxy: url }, noAbort)).rejects.toMatchObject({ kind: 'unreachable' })
  await disconnected.promise
})

test('reports an unreachable proxy, and gives up when aborted', async () => {
  await expect(dial(publicly('198.51.100.7'), { proxy: 'http://127.0.0.1:1' }, noAbort)).rejects.toMatchObject({
    kind: 'unreachable',
  })
  await expect(dial(publicly('198.51.100.7'), { proxy: url }, AbortSignal.abort())).rejects.toMatchObject({
    kind: 'unreachable',
  })
})

test.each([
  ['10.21.0.4', ['10.20.0.0/16']],
  ['198.51.100.7', ['10.0.0.0/8']],
  ['127.0.0.1', ['0.0.0.0/0']],
  ['169.254.169.254', ['169.254.0.0/16']],
  ['168.63.129.16', ['168.63.129.16/32']],
  ['100.100.100.200', ['100.64.0.0/10']],
  ['10.20.0.4:22', ['10.0.0.0/8']],
  ['labs.example.com', ['0.0.0.0/0']],
  ['10.20.0.4', []],
])('rejects %s in a network of %j, over peering, a gateway and the host', async (address, ranges) => {
  const gateways: Gateways = { connect: () => expect.unreachable() }
  const before = [...requests]
  for (const route of ['peering', 'gateway', 'host'] as const) {
    await expect(dial(privately(address, ranges, route), { proxy: url, gateways }, noAbort)).rejects.toMatchObject({
      kind: 'unreachable',
      message: `${address} is not in the address ranges of its private network.`,
    })
  }
  expect(requests).toEqual(before)
})

test('reaches an address in the ranges of a peered network, and uses the gateway of another network', async () => {
  const at = requests.length
  await expect(dial(privately('10.20.0.4', ['10.20.0.0/16']), { proxy: url }, noAbort)).rejects.toMatchObject({
    kind: 'unreachable',
  })
  expect(requests.slice(at)).toEqual(['10.20.0.4:22'])
  const asked: unknown[] = []
  const gateways: Gateways = {
    async connect(network, address, port) {
      asked.push([network.id, address, port])
      return new PassThrough()
    },
  }
  await dial(privately('10.20.0.4', ['10.20.0.0/16'], 'gateway'), { proxy: url, gateways }, noAbort, 3389)
  expect(asked).toEqual([['labs', '10.20.0.4', 3389]])
  await expect(
    dial(privately('10.20.0.4', ['10.20.0.0/16'], 'gateway'), { proxy: url }, noAbort),
  ).rejects.toMatchObject({
    kind: 'noGateway',
  })
  expect(requests).toHaveLength(at + 1)
})
