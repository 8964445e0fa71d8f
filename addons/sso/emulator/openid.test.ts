import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type TestEmulator, startTestEmulator } from '@trainyard/platform/emulator/test/test-emulator.ts'
import { signInAtProvider } from '@trainyard/platform/emulator/test/sign-in.ts'

let emulator: TestEmulator

beforeAll(async () => {
  emulator = await startTestEmulator()
})
afterEach(() => emulator.control('DELETE', '/_faults'))
afterAll(() => emulator.stop())

const VERIFIER = 'v'.repeat(43)
const REDIRECT = 'http://127.0.0.1:4321/sign-in'

async function tokensOf(subject: string, form: Record<string, string> = {}) {
  const requested = new URLSearchParams({
    client_id: 'trainyard',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: REDIRECT,
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const callback = await signInAtProvider(`${emulator.url}/openid/auth?${requested.toString()}`, subject)
  expect(callback.origin + callback.pathname).toBe(REDIRECT)
  expect(callback.searchParams.get('state')).toBe('the state')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    client_id: 'trainyard',
    client_secret: 'emulated-client-secret',
    code_verifier: VERIFIER,
    ...form,
  })
  const exchange = () => fetch(`${emulator.url}/openid/token`, { method: 'POST', body })
  const reply = await exchange()
  return { status: reply.status, body: (await reply.json()) as { id_token: string }, exchange }
}

async function read(token: string) {
  const [encodedHeader = '', body = '', signature = ''] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { keys } = (await emulator.control('GET', '/openid/jwks')).body as { keys: JsonWebKey[] }
  const key = createPublicKey({ key: keys[0]!, format: 'jwk' })
  const genuine = verify('sha256', Buffer.from(`${encodedHeader}.${body}`), key, Buffer.from(signature, 'base64url'))
  return { header: json(encodedHeader), claims: json(body), genuine }
}

const now = () => Math.floor(Date.now() / 1000)

test('issues one ID token per code for the chosen user', async () => {
  const { body, exchange } = await tokensOf('initech-learner')
  const { header, claims, genuine } = await read(body.id_token)
  expect([header['alg'], genuine]).toEqual(['RS256', true])
  expect(claims).toMatchObject({
    iss: `${emulator.url}/openid`,
    aud: 'trainyard',
    sub: 'initech-learner',
    nonce: 'the nonce',
    email: 'learner@initech.test',
    email_verified: true,
    groups: ['learners'],
    amr: ['pwd'],
  })
  expect((await exchange()).status).toBe(400)
})

test.each([
  ['another secret', { client_secret: 'wrong' }, 401],
  ['another verifier', { code_verifier: 'w'.repeat(43) }, 400],
  ['another client', { client_id: 'another-application', client_secret: 'another-client-secret' }, 400],
  ['another redirect', { redirect_uri: 'http://127.0.0.1:4321/elsewhere' }, 400],
])('refuses a code with %s', async (_what, form, status) => {
  expect((await tokensOf('initech-learner', form)).status).toBe(status)
})

test('refuses a redirect to an unregistered host', async () => {
  const address = `${emulator.url}/openid/auth?client_id=trainyard&response_type=code&scope=openid&redirect_uri=`
  await expect(signInAtProvider(`${address}https://evil.test/sign-in`, 'initech-learner')).rejects.toThrow('400')
})

test.each([
  ['wrongIssuer', { iss: 'https://issuer.evil.test' }],
  ['wrongAudience', { aud: 'another-application' }],
  ['otherNonce', { nonce: 'n'.repeat(43) }],
  ['unverifiedEmail', { email_verified: false }],
])('sends wrong claims with a valid signature under the fault %s', async (kind, wrongClaims) => {
  await emulator.control('POST', '/_faults', { kind, operation: 'OpenId_Token' })
  const { claims, genuine } = await read((await tokensOf('initech-learner')).body.id_token)
  expect(genuine).toBe(true)
  expect(claims).toMatchObject(wrongClaims)
})

test.each([
  ['unsigned', 'none'],
  ['signedWithSecret', 'HS256'],
  ['signedByAnotherKey', 'RS256'],
])('sends an invalid signature under the fault %s', async (kind, alg) => {
  await emulator.control('POST', '/_faults', { kind, operation: 'OpenId_Token' })
  const { header, genuine } = await read((await tokensOf('initech-learner')).body.id_token)
  expect([header['alg'], genuine]).toEqual([alg, false])
})

test('sends an ID token from the future or an expired one under a fault', async () => {
  await emulator.control('POST', '/_faults', { kind: 'clockAhead', operation: 'OpenId_Token', seconds: 120, times: 1 })
  const claimsAhead = await read((await tokensOf('initech-learner')).body.id_token)
  expect(Number(claimsAhead.claims['iat']) - now()).toBeGreaterThan(110)
  await emulator.control('POST', '/_faults', { kind: 'expired', operation: 'OpenId_Token', seconds: 120 })
  const claimsOverage = await read((await tokensOf('initech-learner')).body.id_token)
  expect(Number(claimsOverage.claims['exp']) - now()).toBeLessThanOrEqual(-120)
})

test('adds users and leaves out claims that they do not have', async () => {
  const person = { subject: 'entra-1', email: 'someone@acme.test', name: 'Someone', emailVerified: null }
  expect((await emulator.control('POST', '/_openid/people', person)).status).toBe(201)
  const { claims } = await read((await tokensOf('entra-1')).body.id_token)
  expect(claims).not.toHaveProperty('email_verified')
  expect(claims).not.toHaveProperty('amr')
  expect((await read((await tokensOf('initech-admin')).body.id_token)).claims['amr']).toEqual(['pwd', 'otp', 'mfa'])
})

test('sends email_verified and amr as text for users that have them as text', async () => {
  const person = { subject: 'mapped', email: 'someone@acme.test', name: 'Someone', emailVerified: 'true', amr: 'mfa' }
  expect((await emulator.control('POST', '/_openid/people', person)).status).toBe(201)
  const { claims } = await read((await tokensOf('mapped')).body.id_token)
  expect(claims).toMatchObject({ email_verified: 'true', amr: 'mfa' })
})

const groupsUpTo = (count: number) => Array.from({ length: count }, (_, index) => `group-${index}`)

test('refers to another source instead of sending more than 200 groups', async () => {
  const person = { subject: 'many', email: 'many@acme.test', name: 'Many', groups: groupsUpTo(201) }
  expect((await emulator.control('POST', '/_openid/people', person)).status).toBe(201)
  const { claims } = await read((await tokensOf('many')).body.id_token)
  expect(claims).not.toHaveProperty('groups')
  expect(claims).toMatchObject({ _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } })
  await emulator.control('POST', '/_openid/people', { ...person, groups: groupsUpTo(200) })
  expect((await read((await tokensOf('many')).body.id_token)).claims['groups']).toHaveLength(200)
})

test('answers DNS queries for TXT records, with long texts split, and knows no other name', async () => {
  const longRecord = `trainyard-verification=${'a'.repeat(300)}`
  await emulator.control('POST', '/_dns', { name: 'Acme.test', texts: ['v=spf1 -all', longRecord] })
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([new URL(emulator.url).host])
  const texts = await resolver.resolveTxt('acme.test')
  expect(texts.map((parts) => parts.join('')).toSorted()).toEqual([longRecord, 'v=spf1 -all'].toSorted())
  await expect(resolver.resolveTxt('other.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
