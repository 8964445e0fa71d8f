import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export interface Certified {
  readonly cert: string
  readonly key: string
}

interface Authority extends Certified {
  /** Signs a certificate for a name. `days` is the number of days until it expires; negative if it has expired. */
  certify(name: string, days: number): Certified
}

/** Certificates are X.509 v3 with ECDSA on P-256 (RFC 5280). */
export function makeAuthority(): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = `Authority ${randomBytes(4).toString('hex')}`
  const cert = certificate({ subject: name, issuer: name, days: 30, of: keys.publicKey, by: keys.privateKey, ca: true })
  return {
    cert,
    key: pem(keys.privateKey),
    certify(subject, days) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return {
        cert: certificate({ subject, issuer: name, days, of: pair.publicKey, by: keys.privateKey, ca: false }),
        key: pem(pair.privateKey),
      }
    },
  }
}

const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

function certificate(options: {
  readonly subject: string
  readonly issuer: string
  readonly days: number
  readonly of: KeyObject
  readonly by: KeyObject
  readonly ca: boolean
}): string {
  const ends = Date.now() + options.days * 86_400_000
  const body = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    distinguishedName(options.issuer),
    sequence(time(new Date(ends - 60 * 86_400_000)), time(new Date(ends))),
    distinguishedName(options.subject),
    options.of.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(options.ca ? AUTHORITY : alternative(options.subject))),
  )
  const signature = sign('sha256', body, options.by)
  const whole = sequence(body, ECDSA_SHA256, tlv(0x03, Buffer.from([0]), signature))
  const lines = whole.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts)
const integer = (bytes: Buffer): Buffer => tlv(0x02, bytes)
const oid = (...bytes: readonly number[]): Buffer => tlv(0x06, Buffer.from(bytes))
const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text))

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const COMMON_NAME = oid(0x55, 0x04, 0x03)
const distinguishedName = (name: string): Buffer => sequence(tlv(0x31, sequence(COMMON_NAME, utf8(name))))

/** UTCTime: YYMMDDhhmmssZ. */
const time = (at: Date): Buffer => tlv(0x17, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`))

const TRUE = tlv(0x01, Buffer.from([0xff]))
const AUTHORITY = sequence(oid(0x55, 0x1d, 0x13), TRUE, tlv(0x04, sequence(TRUE)))
const alternative = (name: string): Buffer =>
  sequence(oid(0x55, 0x1d, 0x11), tlv(0x04, sequence(tlv(0x82, Buffer.from(name)))))
