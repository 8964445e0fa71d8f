import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

/**
 * Keys by their order: the first key encrypts, all keys decrypt, and the last key computes tokens, so that links stay
 * valid until that key is removed.
 */
export type SealKeys = readonly [SealKey, ...SealKey[]]

export interface SealKey {
  readonly id: string
  readonly bytes: Buffer
  /** ID that ciphertexts of earlier versions name for this key. Other installations' keys may share it. */
  readonly formerId?: string
}

/** Stored secret that no configured key decrypts. The message names the missing key and can be shown to users. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret'
  /** ID of the key that encrypted the secret. */
  readonly keyId: string

  constructor(keyId: string) {
    super(
      `The portal cannot decrypt this password: it was encrypted with the key ${keyId}, which the portal does not have.`,
    )
    this.keyId = keyId
  }
}

/** Encrypts secrets with AES-256-GCM. The ciphertext begins with the key's ID, so that keys can be rotated. */
export interface Seal {
  /** @param context authenticated data, such as a machine's ID, so that a ciphertext cannot be moved to another row */
  seal(plain: string, context: string): Buffer
  /** @throws UnreadableSecret */
  open(sealed: Buffer, context: string): string
  /** Returns a keyed hash (HMAC), which is the same for the same subject, so that a link can be sent again. */
  token(purpose: string, subject: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @param keys a function is called at each use, because a rotation may change the keys */
export function makeSeal(keys: SealKeys | (() => SealKeys)): Seal {
  const currentKeys = typeof keys === 'function' ? keys : () => keys
  let prepared = prepare(currentKeys())
  const now = () => {
    const found = currentKeys()
    if (found !== prepared.keys) prepared = prepare(found)
    return prepared
  }
  return {
    seal(plain, context) {
      const { current } = now()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const id = Buffer.from(current.id, 'utf8')
      return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      const id = keyIdOf(sealed)
      const rest = sealed.subarray(1 + Buffer.byteLength(id))
      for (const key of now().byId.get(id) ?? []) {
        try {
          return decrypt(rest, key, context)
        } catch {
          // Another key with the same former ID may decrypt the secret.
        }
      }
      throw new UnreadableSecret(id)
    },
    token(purpose, subject) {
      return createHmac('sha256', now().keys.at(-1)!.bytes).update(`${purpose}\n${subject}`).digest('base64url')
    },
  }
}

function prepare(keys: SealKeys) {
  // Key objects avoid parsing the key on each use, which made decrypting a list of passwords three times slower.
  const byId = new Map<string, KeyObject[]>()
  for (const { id, formerId, bytes } of keys) {
    const key = createSecretKey(bytes)
    for (const name of formerId === undefined ? [id] : [id, formerId]) byId.set(name, [...(byId.get(name) ?? []), key])
  }
  return { keys, byId, current: { id: keys[0].id, key: createSecretKey(keys[0].bytes) } }
}

/** Returns the ID of the key that encrypted a secret. */
const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString('utf8')

function decrypt(sealed: Buffer, key: KeyObject, context: string): string {
  const tagEnd = NONCE_BYTES + TAG_BYTES
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
  return decipher.update(sealed.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8')
}
