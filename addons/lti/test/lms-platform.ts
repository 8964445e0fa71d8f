import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim/'
export const INSTRUCTOR = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor'
export const LEARNER = 'http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'

export const claim = (name: string): string => `${CLAIM}${name}`

interface Key {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: object
}

/**
 * Key set on the network, with tokens that its keys sign. Simulates an LMS under attack, which a correct LMS cannot.
 */
export interface ScriptedLms {
  readonly issuer: string
  readonly keySetUrl: string
  /** Number of requests for the key set. */
  fetches(): number
  /** Replaces the keys of the key set by a new one. */
  rotate(): void
  /** Replaces the response of the key set's address; null restores the original response. */
  answer(how: ((reply: ServerResponse) => void) | null): void
  token(claims: object, header?: object, key?: KeyObject): string
  stop(): Promise<void>
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export const signed = (header: object, claims: object, key: KeyObject, hash = 'sha256'): string => {
  const text = `${part(header)}.${part(claims)}`
  return `${text}.${sign(hash, Buffer.from(text), key).toString('base64url')}`
}

export const unsigned = (claims: object): string => `${part({ alg: 'none', kid: 'key-1' })}.${part(claims)}.`

export async function scriptedLms(): Promise<ScriptedLms> {
  let count = 0
  let fetches = 0
  let answer: ((reply: ServerResponse) => void) | null = null
  const newKey = (): Key => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const kid = `key-${(count += 1)}`
    return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } }
  }
  let key = newKey()
  const server = createServer((_request, reply) => {
    fetches += 1
    if (answer !== null) answer(reply)
    else reply.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key.jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lms: ScriptedLms = {
    issuer,
    keySetUrl: `${issuer}/keys`,
    fetches: () => fetches,
    rotate: () => void (key = newKey()),
    answer: (respond) => void (answer = respond),
    token: (claims, header = {}, by = key.privateKey) =>
      signed({ alg: 'RS256', kid: key.kid, typ: 'JWT', ...header }, claims, by),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  afterAll(() => lms.stop())
  return lms
}

/** Claims of a correct launch. `overrides` replaces or, with undefined, removes claims. */
export function launchClaims(
  { issuer, clientId, nonce, target }: { issuer: string; clientId: string; nonce: string; target: string },
  overrides: object = {},
): object {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: issuer,
    aud: clientId,
    sub: '5',
    iat: now,
    exp: now + 60,
    nonce,
    name: 'Asha Verma',
    [claim('version')]: '1.3.0',
    [claim('message_type')]: 'LtiResourceLinkRequest',
    [claim('deployment_id')]: '1',
    [claim('target_link_uri')]: target,
    [claim('resource_link')]: { id: 'link-1', title: 'Lab' },
    [claim('context')]: { id: 'CS101', title: 'Computer Science' },
    [claim('roles')]: [LEARNER],
    ...overrides,
  }
}
