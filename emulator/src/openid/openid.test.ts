import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type FarEnd, startFarEnd } from '#test/far-end.ts'
import { signInThere } from '#test/sign-in.ts'

let farEnd: FarEnd

beforeAll(async () => {
  farEnd = await startFarEnd()
})
afterEach(() => farEnd.control('DELETE', '/_faults'))
afterAll(() => farEnd.stop())

const VERIFIER = 'v'.repeat(43)
const REDIRECT = 'http://127.0.0.1:4321/sign-in'

/** Signs somebody in and exchanges the code. */
async function tokensOf(subject: string, form: Record<string, string> = {}) {
  const asked = new URLSearchParams({
    client_id: 'trainyard',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: REDIRECT,
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const back = await signInThere(`${farEnd.url}/openid/auth?${asked.toString()}`, subject)
  expect(back.origin + back.pathname).toBe(REDIRECT)
  expect(back.searchParams.get('state')).toBe('the state')
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code')!,
    redirect_uri: REDIRECT,
    client_id: 'trainyard',
    client_secret: 'emulated-client-secret',
    code_verifier: VERIFIER,
    ...form,
  })
  const exchange = () => fetch(`${farEnd.url}/openid/token`, { method: 'POST', body })
  const reply = await exchange()
  return { status: reply.status, body: (await reply.json()) as { id_token: string }, exchange }
}

async function read(token: string) {
  const [head = '', body = '', signature = ''] = token.split('.')
  const json = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  const { keys } = (await farEnd.control('GET', '/openid/jwks')).body as { keys: JsonWebKey[] }
  const key = createPublicKey({ key: keys[0]!, format: 'jwk' })
  const genuine = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'))
  return { header: json(head), claims: json(body), genuine }
}

const now = () => Math.floor(Date.now() / 1000)

test('a person is chosen, and the code gives an ID token that says who it is, once', async () => {
  const { body, exchange } = await tokensOf('initech-learner')
  const { header, claims, genuine } = await read(body.id_token)
  expect([header['alg'], genuine]).toEqual(['RS256', true])
  expect(claims).toMatchObject({
    iss: `${farEnd.url}/openid`,
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
])('a code is refused with %s', async (_what, form, status) => {
  expect((await tokensOf('initech-learner', form)).status).toBe(status)
})

test('a redirect to a host that is not registered is refused', async () => {
  const address = `${farEnd.url}/openid/auth?client_id=trainyard&response_type=code&scope=openid&redirect_uri=`
  await expect(signInThere(`${address}https://evil.test/sign-in`, 'initech-learner')).rejects.toThrow('400')
})

test.each([
  ['wrongIssuer', { iss: 'https://issuer.evil.test' }],
  ['wrongAudience', { aud: 'another-application' }],
  ['otherNonce', { nonce: 'n'.repeat(43) }],
  ['unverifiedEmail', { email_verified: false }],
])('a fault makes the ID token lie under the right key: %s', async (kind, lie) => {
  await farEnd.control('POST', '/_faults', { kind, operation: 'OpenId_Token' })
  const { claims, genuine } = await read((await tokensOf('initech-learner')).body.id_token)
  expect(genuine).toBe(true)
  expect(claims).toMatchObject(lie)
})

test.each([
  ['unsigned', 'none'],
  ['signedWithSecret', 'HS256'],
  ['signedByAnotherKey', 'RS256'],
])('a fault gives the ID token a signature that is none: %s', async (kind, alg) => {
  await farEnd.control('POST', '/_faults', { kind, operation: 'OpenId_Token' })
  const { header, genuine } = await read((await tokensOf('initech-learner')).body.id_token)
  expect([header['alg'], genuine]).toEqual([alg, false])
})

test('a fault sets the clock of the ID token ahead, or lets it have run out', async () => {
  await farEnd.control('POST', '/_faults', { kind: 'clockAhead', operation: 'OpenId_Token', seconds: 120, times: 1 })
  const ahead = await read((await tokensOf('initech-learner')).body.id_token)
  expect(Number(ahead.claims['iat']) - now()).toBeGreaterThan(110)
  await farEnd.control('POST', '/_faults', { kind: 'expired', operation: 'OpenId_Token', seconds: 120 })
  const over = await read((await tokensOf('initech-learner')).body.id_token)
  expect(Number(over.claims['exp']) - now()).toBeLessThanOrEqual(-120)
})

test('a person of a test is there, and claims that are not sent are left out', async () => {
  const person = { subject: 'entra-1', email: 'someone@acme.test', name: 'Someone', emailVerified: null }
  expect((await farEnd.control('POST', '/_openid/people', person)).status).toBe(201)
  const { claims } = await read((await tokensOf('entra-1')).body.id_token)
  expect(claims).not.toHaveProperty('email_verified')
  expect(claims).not.toHaveProperty('amr')
  expect((await read((await tokensOf('initech-admin')).body.id_token)).claims['amr']).toEqual(['pwd', 'otp', 'mfa'])
})

test('the name server answers with the texts of a name, long ones in parts, and knows no other', async () => {
  const long = `trainyard-verification=${'a'.repeat(300)}`
  await farEnd.control('POST', '/_dns', { name: 'Acme.test', texts: ['v=spf1 -all', long] })
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([new URL(farEnd.url).host])
  const texts = await resolver.resolveTxt('acme.test')
  expect(texts.map((parts) => parts.join('')).toSorted()).toEqual([long, 'v=spf1 -all'].toSorted())
  await expect(resolver.resolveTxt('other.test')).rejects.toMatchObject({ code: 'ENOTFOUND' })
})
