import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rdpDesktops } from './desktops.ts'

/** Proxy whose machines answer a request with the test's pieces and then close the connection. */
const proxy = createServer()
let url: string
let answer: readonly Buffer[]

beforeAll(async () => {
  proxy.on('connect', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.once('data', () => {
      for (const chunk of answer) socket.write(chunk)
      socket.end()
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(() => void proxy.close())

const open = () =>
  rdpDesktops({ proxy: url }).open(
    { address: '198.51.100.7', network: null, isTrustedCertificate: async () => true },
    Buffer.from('request'),
    new AbortController().signal,
  )

/** A connection confirm or refusal of 19 bytes. Source: MS-RDPBCGR, section 2.2.1.2 */
const confirm = ({ version = 3, length = 19, kind = 0xd0, type = 2, protocol = 1 } = {}) => {
  const bytes = Buffer.alloc(19)
  bytes[0] = version
  bytes.writeUInt16BE(length, 2)
  bytes[5] = kind
  bytes[11] = type
  bytes.writeUInt32LE(protocol, 15)
  return bytes
}
const NOT_CONFIRMED = 'The machine did not confirm the connection.'
const NO_TLS = '198.51.100.7 does not speak TLS.'
const TLS_FAILED = 'The TLS handshake with the machine failed.'

test.each([
  ['a packet of another kind', [confirm({ version: 4 })], NOT_CONFIRMED],
  ['more than its length', [Buffer.concat([confirm(), Buffer.alloc(1)])], NO_TLS],
  ['less than its length', [confirm().subarray(0, 18)], NOT_CONFIRMED],
  ['nothing', [], NOT_CONFIRMED],
  ['a refusal', [confirm({ type: 3 })], NO_TLS],
  ['another packet than a confirmation', [confirm({ kind: 0xe0 })], NO_TLS],
  ['the protocol without TLS', [confirm({ protocol: 0 })], NO_TLS],
  ['a confirmation of 18 bytes', [confirm({ length: 18 }).subarray(0, 18)], NO_TLS],
  ['TLS, and then none', [confirm()], TLS_FAILED],
  [
    'CredSSP in two pieces, and then none',
    [confirm().subarray(0, 3), confirm({ protocol: 2 }).subarray(3)],
    TLS_FAILED,
  ],
])('opens no desktop on a machine that answers with %s', async (_what, chunks, message) => {
  answer = chunks
  await expect(open()).rejects.toMatchObject({ kind: message === NO_TLS ? 'withoutTls' : 'unreachable', message })
})
