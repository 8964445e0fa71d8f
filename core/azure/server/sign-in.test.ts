import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDefaultHttpClient } from '@azure/core-rest-pipeline'
import { makeAppCertificate } from '@trainyard/platform/emulator/test/app-certificate.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedEmulator } from '@trainyard/platform/test/shared.ts'
import { azureCredential, type Proof } from './credentials.ts'
import { forwardTo } from './forward.ts'

const TENANT = '00000000-0000-4000-8000-000000000002'
const CLIENT = '00000000-0000-4000-8000-000000000003'
const SCOPE = 'https://graph.microsoft.com/.default'
const ISSUER = 'https://oidc.cluster.test/trainyard'

const emulator = await sharedEmulator()
const folder = await mkdtemp(join(tmpdir(), 'sign-in-'))
afterAll(() => rm(folder, { recursive: true }))
beforeEach(() => tenant({}))

async function tenant(change: object): Promise<void> {
  const reply = await fetch(`${emulator.url}/_tenant`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
  expect(reply.status).toBe(200)
}

async function fileWith(name: string, content: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** Signs in with the real library, whose requests the emulator receives. Returns a sentence if the sign-in fails. */
async function signIn(
  proof: Proof,
  { clientId = CLIENT, tenantId = TENANT, scope = SCOPE } = {},
): Promise<string | { token: string }> {
  const httpClient = forwardTo(emulator.url, createDefaultHttpClient())
  const credential = azureCredential({ tenantId, clientId, proof, httpClient })
  return (credential.getToken(scope) as Promise<{ token: string }>).catch((problem: Error) => problem.message)
}

const issued = { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) }

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const federation = {
  issuer: ISSUER,
  subject: 'system:serviceaccount:trainyard:portal',
  keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }],
}

function federatedToken(claims: object = {}, key = privateKey): string {
  const now = Math.floor(Date.now() / 1000)
  const settings = {
    iss: ISSUER,
    sub: federation.subject,
    aud: 'api://AzureADTokenExchange',
    nbf: now - 5,
    exp: now + 600,
    ...claims,
  }
  const [header, body] = [{ alg: 'RS256', kid: 'one' }, settings].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return [header, body, sign('sha256', Buffer.from(`${header}.${body}`), key).toString('base64url')].join('.')
}

describe('a certificate', () => {
  test('signs in if it is registered, also with an encrypted key', async () => {
    const { cert, key } = await makeAppCertificate(90)
    await tenant({ certificates: [cert] })
    const path = await fileWith('app.pem', key + cert)
    expect(await signIn({ kind: 'certificate', path, password: null })).toMatchObject(issued)
    const encrypted = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'x y',
    })
    const locked = await fileWith('locked.pem', String(encrypted) + cert)
    expect(await signIn({ kind: 'certificate', path: locked, password: 'x y' })).toMatchObject(issued)
    expect(await signIn({ kind: 'certificate', path: locked, password: 'wrong' })).toMatch(
      /locked.pem cannot be used.*CERTIFICATE_PASSWORD/,
    )
  })

  test('is refused if it is not registered, has expired, or another key signs for it', async () => {
    const [own, other, oldKey] = await Promise.all([
      makeAppCertificate(90),
      makeAppCertificate(90),
      makeAppCertificate(-1),
    ])
    await tenant({ certificates: [own.cert, oldKey.cert] })
    const refused = /not registered or has expired \(AADSTS700027\)/
    for (const pem of [other.key + other.cert, oldKey.key + oldKey.cert, other.key + own.cert]) {
      expect(await signIn({ kind: 'certificate', path: await fileWith('bad.pem', pem), password: null })).toMatch(
        refused,
      )
    }
  })

  test('is refused if its file is missing or contains no certificate', async () => {
    const missing = join(folder, 'missing.pem')
    expect(await signIn({ kind: 'certificate', path: missing, password: null })).toBe(
      `The portal could not sign in to Entra: the file ${missing} cannot be read. Check AZURE_CLIENT_CERTIFICATE_PATH and the file's permissions.`,
    )
    const empty = await fileWith('empty.pem', 'no certificate')
    expect(await signIn({ kind: 'certificate', path: empty, password: null })).toMatch(/empty.pem cannot be used/)
  })
})

describe('a federated token', () => {
  const signInWith = async (token: string) => signIn({ kind: 'federated', tokenFile: await fileWith('token', token) })

  test('signs in if issuer, subject, audience, signature and time match', async () => {
    await tenant({ federatedCredentials: [federation] })
    expect(await signInWith(federatedToken())).toMatchObject(issued)
  })

  const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  test.each([
    ['issuer', federatedToken({ iss: 'https://other.test' }), 700211],
    ['subject', federatedToken({ sub: 'system:serviceaccount:other:portal' }), 700213],
    ['audience', federatedToken({ aud: 'https://kubernetes.default.svc' }), 700212],
    ['signature', federatedToken({}, otherKey), 50013],
    ['time', federatedToken({ exp: Math.floor(Date.now() / 1000) - 3600 }), 700024],
  ])('is refused with the sentence for its %s', async (_, token, code) => {
    await tenant({ federatedCredentials: [federation] })
    expect(await signInWith(token)).toMatch(new RegExp(`^The portal could not sign in to Entra: .*\\(AADSTS${code}\\)`))
  })

  test('is refused if its file is missing or empty', async () => {
    expect(await signIn({ kind: 'federated', tokenFile: join(folder, 'no') })).toMatch(
      /no cannot be read. Check AZURE_FEDERATED_TOKEN_FILE/,
    )
    expect(await signInWith(' ')).toMatch(/contains no token/)
  })
})

describe('a managed identity', () => {
  test('signs in as the system-assigned or a user-assigned identity of the host', async () => {
    await tenant({ managedIdentities: { system: true, user: [CLIENT] } })
    expect(await signIn({ kind: 'managed', assigned: 'system' })).toMatchObject(issued)
    expect(await signIn({ kind: 'managed', assigned: 'user' })).toMatchObject(issued)
  })

  test('is refused if the host does not have it', async () => {
    // The library caches tokens of managed identities for the whole process.
    const scope = 'https://management.azure.com/.default'
    expect(await signIn({ kind: 'managed', assigned: 'system' }, { scope })).toMatch(
      /no system-assigned managed identity/,
    )
    expect(await signIn({ kind: 'managed', assigned: 'user' }, { scope })).toMatch(`no managed identity ${CLIENT}`)
  })
})

describe('a client secret', () => {
  test('signs in until it expires, for this application and directory only', async () => {
    const proof = { kind: 'secret', secret: 'emulated' } as const
    expect(await signIn(proof)).toMatchObject(issued)
    expect(await signIn(proof, { clientId: TENANT })).toMatch(/\(AADSTS700016\)/)
    expect(await signIn(proof, { tenantId: CLIENT })).toMatch(/\(AADSTS90002\)/)
    expect(await signIn({ kind: 'secret', secret: 'wrong' })).toMatch(/\(AADSTS7000215\)/)
    await tenant({ secretEndsAt: '2020-01-01T00:00:00Z' })
    expect(await signIn(proof)).toMatch(/\(AADSTS7000222\)/)
  })
})
