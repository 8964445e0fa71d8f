import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { discoverer } from './discovered.ts'

/** Provider whose metadata each test sets. */
const provider = createServer((_request, reply) => {
  requests += 1
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(description))
})
let origin: string
let description: Record<string, unknown>
let status: number
let requests: number

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => void provider.close())
beforeEach(() => {
  ;[status, requests] = [200, 0]
  description = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
  }
})

const client = (clientSecret = 'secret') => ({ issuer: origin, clientId: 'portal', clientSecret })
const found = () => discoverer({ emulator: origin, privateHosts: [] })(client())

test('fetches the metadata once per client, and again for another secret', async () => {
  const discovered = discoverer({ emulator: origin, privateHosts: [] })
  const [first, second] = await Promise.all([discovered(client()), discovered(client())])
  expect(first).toBe(second)
  expect(first.serverMetadata().id_token_signing_alg_values_supported).toEqual(['RS256'])
  expect(requests).toBe(1)
  expect(await discovered(client('another'))).not.toBe(first)
  expect(requests).toBe(2)
})

test('retries a failed provider at the next request', async () => {
  const discovered = discoverer({ emulator: origin, privateHosts: [] })
  status = 500
  await expect(discovered(client())).rejects.toMatchObject({ code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' })
  status = 200
  expect((await discovered(client())).serverMetadata().issuer).toBe(origin)
})

test.each([
  [{ authorization_endpoint: undefined }, "The provider's metadata has no valid authorization_endpoint."],
  [{ token_endpoint: 'nowhere' }, "The provider's metadata has no valid token_endpoint."],
  [{ jwks_uri: undefined }, "The provider's metadata has no valid jwks_uri."],
  [{ jwks_uri: 'https://10.0.0.7/keys' }, "The provider's metadata, jwks_uri: "],
  [
    { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS2560'] },
    'no signature algorithm that the portal accepts',
  ],
])('rejects metadata with %j', async (wrong, sentence) => {
  Object.assign(description, wrong)
  await expect(found()).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining(sentence) })
})

test('assumes RS256, the standard’s default, if the metadata names no algorithms', async () => {
  delete description['id_token_signing_alg_values_supported']
  expect((await found()).serverMetadata().id_token_signing_alg_values_supported).toEqual(['RS256'])
})
