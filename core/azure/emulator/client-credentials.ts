import { constants, createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto'
import { portalApp } from './operation.ts'
import type { FederatedCredential, Tenant } from './tenant.ts'

export interface SignInRefusal {
  readonly status: number
  readonly error: string
  readonly code: number
  readonly sentence: string
}

interface TokenRequest {
  readonly form: URLSearchParams
  /** Directory named in the URL, which also ends the audience of an assertion. */
  readonly tenantId: string
  readonly tenant: Tenant
  readonly now: number
}

const refusal = (code: number, sentence: string, error = 'invalid_client', status = 401): SignInRefusal => ({
  status,
  error,
  code,
  sentence,
})

/**
 * Returns the reason why Entra issues no token for a client secret, a certificate or a federated token; null: issued.
 * Source: learn.microsoft.com, "Microsoft identity platform and the OAuth 2.0 client credentials flow", "Application
 * authentication certificate credentials", "Workload identity federation" and "Microsoft Entra authentication error codes".
 */
export function refusalOfClient({ form, tenantId, tenant, now }: TokenRequest): SignInRefusal | null {
  const client = form.get('client_id') ?? ''
  if (client.toLowerCase() !== portalApp) {
    return refusal(
      700016,
      `Application with identifier '${client}' was not found in the directory 'Emulated directory'.`,
      'unauthorized_client',
      400,
    )
  }
  const assertion = form.get('client_assertion')
  if (assertion === null) return refusalOfSecret(form.get('client_secret'), tenant, now)
  if (form.get('client_assertion_type') !== 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer') {
    return refusal(7003, "The 'client_assertion_type' parameter is invalid.", 'invalid_request', 400)
  }
  const token = parsed(assertion)
  if (token === null) return refusal(50027, 'JWT token is invalid or malformed.', 'invalid_request', 400)
  const { iss, sub } = token.claims
  return iss === client || sub === client
    ? refusalOfCertificate(token, client, tenantId, tenant, now)
    : refusalOfFederated(token, tenant, now)
}

function refusalOfSecret(secret: string | null, tenant: Tenant, now: number): SignInRefusal | null {
  if (secret === null) {
    return refusal(
      7000218,
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
    )
  }
  if (secret === '' || secret === 'wrong') {
    return refusal(
      7000215,
      `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${portalApp}'.`,
    )
  }
  if (Date.parse(tenant.secretEndsAt) > now) return null
  return refusal(7000222, `The provided client secret keys for app '${portalApp}' are expired.`)
}

interface Token {
  readonly header: {
    readonly alg?: unknown
    readonly kid?: unknown
    readonly x5t?: unknown
    readonly 'x5t#S256'?: unknown
  }
  readonly claims: Readonly<Record<string, unknown>>
  readonly signed: Buffer
  readonly signature: Buffer
}

function parsed(text: string): Token | null {
  const [header = '', claims = '', signature = '', ...more] = text.split('.')
  if (more.length > 0 || signature === '') return null
  try {
    return {
      header: JSON.parse(Buffer.from(header, 'base64url').toString()) as Token['header'],
      claims: JSON.parse(Buffer.from(claims, 'base64url').toString()) as Token['claims'],
      signed: Buffer.from(`${header}.${claims}`),
      signature: Buffer.from(signature, 'base64url'),
    }
  } catch {
    return null
  }
}

function refusalOfCertificate(
  token: Token,
  client: string,
  tenantId: string,
  tenant: Tenant,
  now: number,
): SignInRefusal | null {
  const { iss, sub, aud } = token.claims
  if (iss !== client || sub !== client) {
    return refusal(700021, "Client assertion application identifier doesn't match 'client_id' parameter.")
  }
  const found = tenant.certificates
    .map((pem) => new X509Certificate(pem))
    .find((each) => isThumbprintOf(token.header, each))
  if (found === undefined) return unacceptedKey('The key was not found.')
  if (!isSignedBy(token, found.publicKey)) return unacceptedKey('The signature does not match.')
  if (Date.parse(found.validTo) <= now || Date.parse(found.validFrom) > now)
    return unacceptedKey('The key used is expired.')
  const audiences = [
    `https://login.microsoftonline.com/${tenantId}/oauth2/v2.0/token`,
    `https://login.microsoftonline.com/${tenantId}/v2.0`,
  ]
  if (!audiences.includes(String(aud).toLowerCase())) {
    return refusal(700023, `Client assertion audience claim does not match Realm issuer. Review the documentation.`)
  }
  return refusalOfTime(token, now)
}

const unacceptedKey = (reason: string): SignInRefusal =>
  refusal(
    700027,
    `The certificate with identifier used to sign the client assertion is not registered on application. [Reason - ${reason}]`,
  )

function isThumbprintOf(header: Token['header'], certificate: X509Certificate): boolean {
  const asBase64 = (fingerprint: string) => Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')
  return header['x5t#S256'] === asBase64(certificate.fingerprint256) || header.x5t === asBase64(certificate.fingerprint)
}

/** Entra accepts RSA keys only. */
function isSignedBy({ header, signed, signature }: Token, key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return false
  if (header.alg === 'RS256') return verify('sha256', signed, key, signature)
  if (header.alg !== 'PS256') return false
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  return verify('sha256', signed, { key, ...padding }, signature)
}

const toleranceSeconds = 300

function refusalOfTime({ claims: { exp, nbf } }: Token, now: number): SignInRefusal | null {
  const seconds = now / 1000
  const isValid =
    typeof exp === 'number' &&
    exp > seconds - toleranceSeconds &&
    (nbf === undefined || (typeof nbf === 'number' && nbf <= seconds + toleranceSeconds))
  return isValid ? null : refusal(700024, 'Client assertion is not within its valid time range.')
}

/** Entra compares issuer, subject and audience exactly, then checks the signature with the issuer's keys. */
function refusalOfFederated(token: Token, tenant: Tenant, now: number): SignInRefusal | null {
  const { iss, sub, aud } = token.claims
  const ofIssuer = tenant.federatedCredentials.filter(({ issuer }) => issuer === iss)
  if (ofIssuer.length === 0) return unmatched(700211, 'issuer', iss)
  const ofSubject = ofIssuer.filter(({ subject }) => subject === sub)
  if (ofSubject.length === 0) return unmatched(700213, 'subject', sub)
  const found = ofSubject.find(({ audiences }) => [aud].flat().some((each) => audiences.includes(String(each))))
  if (found === undefined) return unmatched(700212, 'audience', aud)
  if (!isSignedByIssuer(token, found)) {
    return refusal(
      50013,
      'Assertion failed signature validation. [Reason - The key was not found.]',
      'invalid_grant',
      400,
    )
  }
  return refusalOfTime(token, now)
}

const unmatched = (code: number, claim: string, value: unknown): SignInRefusal =>
  refusal(
    code,
    `No matching federated identity record found for presented assertion ${claim} '${String(value)}'. Check your federated identity credential Subject, Audience and Issuer against the presented assertion.`,
  )

function isSignedByIssuer(token: Token, { keys }: FederatedCredential): boolean {
  const key = keys.find(({ kid }) => kid === token.header.kid)
  return key !== undefined && isSignedBy(token, createPublicKey({ key, format: 'jwk' }))
}
