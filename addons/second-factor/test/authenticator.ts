import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40
/** COSE id of ES256. Source: https://www.iana.org/assignments/cose/cose.xhtml */
const ES256 = -7

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url')

/** Deviations of the authenticator, or of the page that uses it, from correct behaviour. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  /** False if only the user's presence is confirmed. */
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

  const clientData = (type: string, { challenge }: Options, deviation: Deviation) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: deviation.origin ?? origin, crossOrigin: false }))

  function authenticatorData(rpId: string, deviation: Deviation, key?: Buffer): Buffer {
    uses = deviation.uses ?? uses + 1
    const flags = PRESENT | (deviation.verifies === false ? 0 : VERIFIED) | (key === undefined ? 0 : WITH_KEY)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(uses)
    return Buffer.concat([
      sha256(deviation.rpId ?? rpId),
      Buffer.from([flags]),
      count,
      ...(key === undefined ? [] : [key]),
    ])
  }

  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} }
  return {
    id: credential.id,
    create(options: Options, deviation: Deviation = {}) {
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
      const data = authenticatorData(options.rp!.id, deviation, Buffer.concat([Buffer.alloc(16), length, id, key]))
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
          clientDataJSON: base64url(clientData('webauthn.create', options, deviation)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    get(options: Options, deviation: Deviation = {}) {
      const data = authenticatorData(options.rpId!, deviation)
      const client = clientData('webauthn.get', options, deviation)
      const userHandle = deviation.userHandle ?? handle
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

/**
 * The CBOR subset that an authenticator uses: numbers, texts, bytes and maps. Source:
 * https://www.rfc-editor.org/rfc/rfc8949
 */
type Item = number | string | Buffer | ReadonlyMap<number | string, Item>

function head(major: number, value: number): Buffer {
  const kind = major << 5
  if (value < 24) return Buffer.from([kind | value])
  if (value < 256) return Buffer.from([kind | 24, value])
  return Buffer.from([kind | 25, value >> 8, value & 255])
}

function cbor(item: Item): Buffer {
  if (typeof item === 'number') return item < 0 ? head(1, -1 - item) : head(0, item)
  if (typeof item === 'string') return Buffer.concat([head(3, Buffer.byteLength(item)), Buffer.from(item)])
  if (Buffer.isBuffer(item)) return Buffer.concat([head(2, item.length), item])
  return Buffer.concat([head(5, item.size), ...[...item].flatMap(([key, value]) => [cbor(key), cbor(value)])])
}
