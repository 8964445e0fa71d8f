import { createServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#test/ports.ts'
import { redSaying, sharedPatient } from '#test/patient.ts'
import { type Certified, makeAuthority } from './test-certificate.ts'

const patient = await sharedPatient()

const examine = (settings = {}) => patient.examine('PUBLIC_URL', settings)

/** A server of the test's own, on any port. */
async function listening(server: ReturnType<typeof createServer>, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`
}

test('the portal itself is reached, by http on this machine', async () => {
  expect(await examine()).toEqual({ certificate: 'not used', 'this very portal': 'green', clock: 'green' })
})

test('a portal with other keys is another portal', async () => {
  const SECRET_KEYS = `other:${Buffer.alloc(32, 8).toString('base64')}`
  expect(await examine({ SECRET_KEYS })).toMatchObject({
    'this very portal': redSaying(/is not this portal/, /SECRET_KEYS/),
    clock: 'not made',
  })
})

test('some other server is no portal', async () => {
  const PUBLIC_URL = await listening(
    createServer((_request, reply) => void reply.end('<html>Welcome to nginx!</html>')),
    'http',
  )
  expect(await examine({ PUBLIC_URL })).toMatchObject({ 'this very portal': redSaying(/is not this portal/) })
})

test('nobody answers', async () => {
  expect(await examine({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` })).toMatchObject({
    'this very portal': redSaying(/ECONNREFUSED/, /npm start; under systemd trainyard-api/),
  })
})

test('nobody answers where a certificate should be shown', async () => {
  const nobody = /can not be reached: .*ECONNREFUSED/
  expect(await examine({ PUBLIC_URL: `https://127.0.0.1:${await freePort()}` })).toMatchObject({
    certificate: redSaying(nobody, /lead to your reverse proxy/),
  })
})

test.each(['portal.invalid', '127.invalid'])('http at %s, where others come by', async (host) => {
  expect(await examine({ PUBLIC_URL: `http://${host}` })).toMatchObject({
    certificate: redSaying(/in clear/, /https/),
  })
})

/** The portal behind a reverse proxy with that certificate. */
const behind = ({ cert, key }: Certified) =>
  listening(
    createHttps({ cert, key }, (request, reply) => {
      void fetch(`${patient.portal.url}${request.url}`).then(async (answer) => reply.end(await answer.text()))
    }),
    'https',
  )

describe('certificates', () => {
  const known = makeAuthority()
  const before = getCACertificates('default')
  beforeAll(() => setDefaultCACertificates([...before, known.cert]))
  afterAll(() => setDefaultCACertificates(before))

  test('one that browsers would believe', async () => {
    expect(await examine({ PUBLIC_URL: await behind(known.certify('localhost', 30)) })).toEqual({
      certificate: 'green',
      'this very portal': 'green',
      clock: 'green',
    })
  })

  test('one that ends soon', async () => {
    expect(await examine({ PUBLIC_URL: await behind(known.certify('localhost', 5)) })).toMatchObject({
      certificate: redSaying(/ends on \d{4}-\d\d-\d\d/, /Renew/),
      'this very portal': 'green',
    })
  })

  test.each([
    ['ran out', () => known.certify('localhost', -1), /expired/],
    ['is of another name', () => known.certify('other.test', 30), /not in the cert|does not match/],
    ['was signed by nobody that is known', () => makeAuthority().certify('localhost', 30), /unable to/],
  ])('one that %s', async (_how, certified, reason) => {
    expect(await examine({ PUBLIC_URL: await behind(certified()) })).toMatchObject({
      certificate: redSaying(new RegExp(`not believed: .*(${reason.source})`), /authority/),
      'this very portal': redSaying(reason),
    })
  })
})

test.each([
  ['is an hour behind', { date: new Date(Date.now() - 3_600_000).toUTCString() }, /s behind this machine/],
  ['is not told', {}, /sends no Date header/],
])('a proxy whose clock %s', async (_how, headers, reason) => {
  const proxy = createServer((request, reply) => {
    void fetch(`${patient.portal.url}${request.url}`).then(async (answer) => {
      reply.sendDate = false
      reply.writeHead(answer.status, headers).end(await answer.text())
    })
  })
  expect(await examine({ PUBLIC_URL: await listening(proxy, 'http') })).toMatchObject({
    'this very portal': 'green',
    clock: redSaying(reason),
  })
})
