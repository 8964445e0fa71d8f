import { createServer } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/ports.ts'
import { failedWith, sharedDoctorPortal } from '../../test/doctor-portal.ts'
import { type Certified, makeAuthority } from './test-certificate.ts'

const doctorPortal = await sharedDoctorPortal()

const runChecks = (settings = {}) => doctorPortal.examine('PUBLIC_URL', settings)

async function listening(server: ReturnType<typeof createServer>, scheme: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}`
}

test('reaches the portal by http on this machine', async () => {
  expect(await runChecks()).toEqual({ certificate: 'not used', 'this portal': 'green', clock: 'green' })
})

test('reports a portal with other keys', async () => {
  const SECRET_KEYS = `other:${Buffer.alloc(32, 8).toString('base64')}`
  expect(await runChecks({ SECRET_KEYS })).toMatchObject({
    'this portal': failedWith(/is not this portal/, /SECRET_KEYS/),
    clock: 'not run',
  })
})

test('reports another server', async () => {
  const PUBLIC_URL = await listening(
    createServer((_request, reply) => void reply.end('<html>Welcome to nginx!</html>')),
    'http',
  )
  expect(await runChecks({ PUBLIC_URL })).toMatchObject({ 'this portal': failedWith(/is not this portal/) })
})

test('reports that no server responds', async () => {
  expect(await runChecks({ PUBLIC_URL: `http://127.0.0.1:${await freePort()}` })).toMatchObject({
    'this portal': failedWith(/ECONNREFUSED/, /npm start, or npm run api/),
  })
})

test('reports that no server responds on an https address', async () => {
  const NOT_REACHED = /cannot be reached: .*ECONNREFUSED/
  expect(await runChecks({ PUBLIC_URL: `https://127.0.0.1:${await freePort()}` })).toMatchObject({
    certificate: failedWith(NOT_REACHED, /lead to your reverse proxy/),
  })
})

test.each(['portal.invalid', '127.invalid'])('reports http at %s, which is not local', async (host) => {
  expect(await runChecks({ PUBLIC_URL: `http://${host}` })).toMatchObject({
    certificate: failedWith(/unencrypted/, /https/),
  })
})

const serveWithCertificate = ({ cert, key }: Certified) =>
  listening(
    createHttps({ cert, key }, (request, reply) => {
      void fetch(`${doctorPortal.portal.url}${request.url}`).then(async (answer) => reply.end(await answer.text()))
    }),
    'https',
  )

describe('certificates', () => {
  const authority = makeAuthority()
  const before = getCACertificates('default')
  beforeAll(() => setDefaultCACertificates([...before, authority.cert]))
  afterAll(() => setDefaultCACertificates(before))

  test('accepts a trusted certificate', async () => {
    expect(await runChecks({ PUBLIC_URL: await serveWithCertificate(authority.certify('localhost', 30)) })).toEqual({
      certificate: 'green',
      'this portal': 'green',
      clock: 'green',
    })
  })

  test('reports a certificate that expires soon', async () => {
    expect(
      await runChecks({ PUBLIC_URL: await serveWithCertificate(authority.certify('localhost', 5)) }),
    ).toMatchObject({
      certificate: failedWith(/expires on \d{4}-\d\d-\d\d/, /Renew/),
      'this portal': 'green',
    })
  })

  test.each([
    ['has expired', () => authority.certify('localhost', -1), /expired/],
    ['has another name', () => authority.certify('other.test', 30), /not in the cert|does not match/],
    ['has an unknown issuer', () => makeAuthority().certify('localhost', 30), /unable to/],
  ])('reports a certificate that %s', async (_how, certified, reason) => {
    expect(await runChecks({ PUBLIC_URL: await serveWithCertificate(certified()) })).toMatchObject({
      certificate: failedWith(new RegExp(`not trusted: .*(${reason.source})`), /authority/),
      'this portal': failedWith(reason),
    })
  })
})

test.each([
  ['is an hour behind', { date: new Date(Date.now() - 3_600_000).toUTCString() }, /s behind this machine/],
  ['is not sent', {}, /sends no Date header/],
])('reports a proxy whose clock %s', async (_how, headers, reason) => {
  const proxy = createServer((request, reply) => {
    void fetch(`${doctorPortal.portal.url}${request.url}`).then(async (answer) => {
      reply.sendDate = false
      reply.writeHead(answer.status, headers).end(await answer.text())
    })
  })
  expect(await runChecks({ PUBLIC_URL: await listening(proxy, 'http') })).toMatchObject({
    'this portal': 'green',
    clock: failedWith(reason),
  })
})
