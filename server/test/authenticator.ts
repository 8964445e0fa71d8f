import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { cbor, type Item } from './cbor.ts'

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40
/** COSE id of ES256. Source: https://www.iana.org/assignments/cose/cose.xhtml */
const ES256 = -7

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

/** Deviations of the authenticator, or of the page that calls it, from correct behaviour. */
export interface Twist {
  /** Origin that the browser reports. */
  readonly origin?: string
  /** Relying party id that the authenticator signs. */
  readonly rpId?: string
  /** False: only the user's presence is confirmed. */
  readonly verifies?: boolean
  /** Signature counter; default: the previous one plus one. */
  readonly uses?: number
  readonly userHandle?: string
}

export interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

/** A software authenticator with one passkey, in a browser at an origin. */
export function softwareAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
  const id = randomBytes(32)
  let uses = 0
  let handle: string | undefined

  const clientData = (type: string, { challenge }: Options, twist: Twist) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: twist.origin ?? origin, crossOrigin: false }))

  function authenticatorData(rpId: string, twist: Twist, key?: Buffer): Buffer {
    uses = twist.uses ?? uses + 1
    const flags = PRESENT | (twist.verifies === false ? 0 : VERIFIED) | (key === undefined ? 0 : WITH_KEY)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(uses)
    return Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.from([flags]), count, ...(key === undefined ? [] : [key])])
  }

  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
  return {
    id: credential.id,
    /** Creates the passkey, without attestation. */
    create(options: Options, twist: Twist = {}) {
      handle = options.user!.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, ES256],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const data = authenticatorData(options.rp!.id, twist, Buffer.concat([Buffer.alloc(16), length, id, key]))
      const attestation = cbor(
        new Map<string, Item>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, Item>()],
          ['authData', data],
        ]),
      )
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, twist)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    /** Signs a challenge with the passkey. */
    get(options: Options, twist: Twist = {}) {
      const data = authenticatorData(options.rpId!, twist)
      const client = clientData('webauthn.get', options, twist)
      const userHandle = twist.userHandle ?? handle
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          ...(userHandle !== undefined && { userHandle }),
        },
      }
    },
  }
}

export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>
