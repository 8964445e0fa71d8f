import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { AwsService } from './operation.ts'
import { services } from './operation.ts'
import { AwsRefusal } from './refusal.ts'

export interface SignedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

export interface Signature {
  readonly accessKey: string
  readonly date: string
  readonly region: string
  readonly service: AwsService
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

const AUTHORIZATION_PATTERN =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

const MAX_SKEW_MS = 5 * 60_000

/** @throws AwsRefusal if the header is missing or malformed */
export function readSignature(request: SignedRequest): Signature {
  const header = request.headers.authorization
  if (typeof header !== 'string') {
    throw new AwsRefusal(403, 'MissingAuthenticationToken', 'Request is missing Authentication Token')
  }
  const [, accessKey, date, region, service, signedHeaders, signature] = AUTHORIZATION_PATTERN.exec(header) ?? []
  const knownService = services.find((each) => each === service)
  if (accessKey === undefined || date === undefined || region === undefined || knownService === undefined) {
    throw new AwsRefusal(
      400,
      'IncompleteSignature',
      'The Authorization header does not conform to Signature Version 4.',
    )
  }
  return {
    accessKey,
    date,
    region,
    service: knownService,
    signedHeaders: (signedHeaders ?? '').split(';'),
    signature: signature ?? '',
  }
}

/**
 * Signature Version 4. Accepts any instant between the host's clock and the emulator's, since clients use either.
 * @throws AwsRefusal SignatureDoesNotMatch
 */
export function verifySignature(request: SignedRequest, given: Signature, secret: string, now: number): void {
  const dateHeader = headerOf(request, 'x-amz-date')
  const signedAt = Date.parse(dateHeader.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Number.isNaN(signedAt) || !dateHeader.startsWith(given.date))
    throw mismatch('Date in Credential scope does not match.')
  if (signedAt < Math.min(now, Date.now()) - MAX_SKEW_MS || signedAt > Math.max(now, Date.now()) + MAX_SKEW_MS) {
    throw mismatch(`Signature expired: ${dateHeader} is now outside the allowed time.`)
  }
  if (!given.signedHeaders.includes('host')) throw mismatch("'Host' must be a signed header.")
  const scope = `${given.date}/${given.region}/${given.service}/aws4_request`
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    dateHeader,
    scope,
    sha256(canonicalRequest(request, given.signedHeaders)),
  ].join('\n')
  const key = [given.date, given.region, given.service, 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`)
  const expected = Buffer.from(hmac(key, stringToSign).toString('hex'))
  if (!timingSafeEqual(expected, Buffer.from(given.signature))) {
    throw mismatch('The request signature we calculated does not match the signature you provided.')
  }
}

function canonicalRequest(request: SignedRequest, signedHeaders: readonly string[]): string {
  const [path = '/', query = ''] = request.url.split('?', 2)
  return [
    request.method,
    path,
    query.split('&').sort().join('&'),
    ...signedHeaders.map((name) => `${name}:${headerOf(request, name).trim().replaceAll(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    sha256(request.body),
  ].join('\n')
}

function headerOf(request: SignedRequest, name: string): string {
  const value = request.headers[name]
  return typeof value === 'string' ? value : (value ?? []).join(',')
}

const mismatch = (message: string) => new AwsRefusal(403, 'SignatureDoesNotMatch', message)
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()
