import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { createSecureContext, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createDefaultHttpClient, createPipelineRequest } from '@azure/core-rest-pipeline'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeAuthority } from '../doctor/test-certificate.ts'
import { awsClients } from '@trainyard/sandbox-aws/server/clients.ts'
import { forwardTo } from '@trainyard/azure/server/forward.ts'
import { egressFetch, proxyAgent, proxyFor } from './egress.ts'
import { graphIdentity } from '@trainyard/sandbox-azure/server/identity.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { razorpayPayments } from '@trainyard/payments/server/razorpay-payments.ts'
import { smtpDiagnosis } from '../mail/smtp-diagnose.ts'

/** Server that represents all hosts of these tests. Only the proxy can connect to this server. */
const authority = makeAuthority()
const HOSTS = ['graph.microsoft.com', 'iam.amazonaws.com', 'sts.amazonaws.com', 'api.razorpay.com', 'login.example.com']
const requested: string[] = []
const provider = createTlsServer(
  {
    ...authority.certify(HOSTS[0]!, 30),
    SNICallback: (name, done) => {
      done(null, createSecureContext(authority.certify(name, 30)))
    },
  },
  (request, reply) => {
    requested.push(`${request.method} https://${request.headers.host}${request.url}`)
    if (request.url === '/redirect') reply.writeHead(302, { location: 'https://elsewhere.test/' }).end()
    else reply.writeHead(418, { 'content-type': 'application/json' }).end('{"error":{"code":"Odd","message":"Odd"}}')
  },
)
const connects: string[] = []
const proxy = createHttpServer((_request, reply) => reply.writeHead(405).end())
proxy.on('connect', (request, client) => {
  connects.push(request.url!)
  const isMail = request.url!.endsWith(':587')
  const upstream = connect((provider.address() as AddressInfo).port, '127.0.0.1', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (isMail) client.end('421 closed\r\n')
    else client.pipe(upstream).pipe(client)
  })
  upstream.on('error', () => client.destroy())
  client.on('error', () => upstream.destroy())
})

const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
await Promise.all([listen(provider), listen(proxy)])
const egress = {
  url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  noProxy: ['direct.test', '.corp.test'],
}
const send = egressFetch(egress)

const defaultAuthorities = getCACertificates('default')
setDefaultCACertificates([...defaultAuthorities, authority.cert])
afterAll(() => {
  setDefaultCACertificates(defaultAuthorities)
  provider.closeAllConnections()
  for (const server of [provider, proxy]) server.close()
})
beforeEach(() => {
  requested.splice(0)
  connects.splice(0)
})

test.each([
  ['https://graph.microsoft.com/v1.0/users', true],
  ['https://direct.test/', false],
  ['https://sub.direct.test/', true],
  ['https://corp.test/', false],
  ['https://idp.corp.test:8443/', false],
  ['https://othercorp.test/', true],
  ['http://127.0.0.1:4010/', false],
])('%s uses the proxy: %s', (url, isProxied) => {
  expect(proxyFor(new URL(url), egress)).toBe(isProxied ? egress.url : null)
  expect(proxyFor(new URL(url), null)).toBeNull()
})

test('Graph, AWS and Razorpay are called through the proxy', async () => {
  const signal = AbortSignal.timeout(20_000)
  const credential = { getToken: async () => ({ token: 'token', expiresOnTimestamp: Date.now() + 60_000 }) }
  const known = { id: '00000000-0000-4000-8000-000000000001', signInName: 'a@labs.test', objectId: null }
  await expect(graphIdentity({ credential, send }).getUser(known, signal)).rejects.toThrow('Odd')
  const aws = awsClients({
    credentials: { accessKeyId: 'A', secretAccessKey: 'B' },
    region: 'us-east-1',
    role: 'r',
    send,
  })
  await expect(aws.identity(signal)).rejects.toThrow('AWS')
  const keys = {
    keyId: 'k',
    keySecret: 's',
    webhookSecret: 'w',
    url: 'https://api.razorpay.com',
    checkoutScriptUrl: 'https://checkout.razorpay.com/c.js',
  }
  const created = razorpayPayments({ ...keys, send }).createOrder({ receipt: 'one', amount: 100, notes: {} }, signal)
  await expect(created).rejects.toThrow('418')
  expect(connects).toEqual(['graph.microsoft.com:443', 'sts.us-east-1.amazonaws.com:443', 'api.razorpay.com:443'])
  expect(requested.map((line) => line.replace(/\?.*/, ''))).toEqual([
    'GET https://graph.microsoft.com/v1.0/users',
    'POST https://sts.us-east-1.amazonaws.com/',
    'POST https://api.razorpay.com/v1/orders',
  ])
})

test('refuses a redirect if the caller does not allow redirects', async () => {
  await expect(send('https://api.razorpay.com/redirect', { redirect: 'error' })).rejects.toThrow('redirect')
  expect((await send('https://api.razorpay.com/redirect')).status).toBe(302)
})

test('mail is sent through the proxy', async () => {
  const diagnosis = smtpDiagnosis({ url: 'smtp://mail.example.com:587', timeout: 5_000, egress })
  await expect(diagnosis.checkLogin(AbortSignal.timeout(10_000))).rejects.toThrow('421')
  expect(connects).toEqual(['mail.example.com:587'])
  const direct = smtpDiagnosis({ url: 'smtp://mail.corp.test:587', timeout: 200, egress })
  await expect(direct.checkLogin(AbortSignal.timeout(10_000))).rejects.toThrow(/\w/)
  expect(connects).toHaveLength(1)
})

const get = { method: 'GET', headers: {} }
type Lookup = NonNullable<Parameters<typeof guardedFetch>[1]>
const answering = (...addresses: string[]) =>
  ((_host: string, _options: object, answer: (error: null, found: object[]) => void) =>
    answer(
      null,
      addresses.map((address) => ({ address, family: 4 })),
    )) as unknown as Lookup

test("resolves an identity provider's name in the portal; the proxy connects to the checked address", async () => {
  const guard = { emulator: null, privateHosts: ['adfs.internal'], egress }
  const reply = await guardedFetch(guard, answering('8.8.4.4'))('https://login.example.com/keys', get)
  expect(reply.status).toBe(418)
  expect(connects).toEqual(['8.8.4.4:443'])
  expect(requested).toEqual(['GET https://login.example.com/keys'])
  for (const addresses of [['10.0.0.7'], ['8.8.4.4', '169.254.169.254']]) {
    const refused = guardedFetch(guard, answering(...addresses))('https://login.example.com/keys', get)
    await expect(refused).rejects.toThrow('is an address of a private network')
  }
  expect(connects).toHaveLength(1)
  await guardedFetch(guard, answering('10.0.0.7'))('https://adfs.internal/keys', get)
  expect(connects.at(-1)).toBe('adfs.internal:443')
})

test('a proxy of the environment does not receive requests to the emulator', async () => {
  const plainServer = createHttpServer((_request, reply) => reply.end('{}'))
  await listen(plainServer)
  try {
    const client = forwardTo(
      `http://127.0.0.1:${(plainServer.address() as AddressInfo).port}`,
      createDefaultHttpClient(),
    )
    const request = createPipelineRequest({ url: 'https://management.azure.com/subscriptions' })
    request.agent = await proxyAgent(egress.url)
    expect((await client.sendRequest(request)).status).toBe(200)
    expect(connects).toEqual([])
  } finally {
    plainServer.close()
  }
})
