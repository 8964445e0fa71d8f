import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto'

export interface SealKey {
  readonly id: string
  readonly bytes: Buffer
}

/** AES-256-GCM. The key's ID precedes the ciphertext, so that keys can be rotated. */
export interface Seal {
  /** @param context authenticated data, such as a machine's ID, so that a ciphertext cannot be moved to another row */
  seal(plain: string, context: string): Buffer
  open(sealed: Buffer, context: string): string
  /** Deterministic, for links that may be sent twice. Only holders of the key can compute it. */
  token(purpose: string, subject: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

export function makeSeal(keys: readonly [SealKey, ...SealKey[]]): Seal {
  // Key objects avoid parsing the key on each use, which made decrypting a list of passwords three times slower.
  const byId = new Map(keys.map(({ id, bytes }) => [id, createSecretKey(bytes)]))
  const current = { id: keys[0].id, key: createSecretKey(keys[0].bytes) }
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      const id = Buffer.from(current.id, 'utf8')
      return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), text])
    },
    open(sealed, context) {
      const idEnd = 1 + sealed[0]!
      const id = sealed.subarray(1, idEnd).toString('utf8')
      const key = byId.get(id)
      if (key === undefined)
        throw new Error(`The key ${id} that encrypted this secret is not among the configured keys.`)
      const nonceEnd = idEnd + NONCE_BYTES
      const tagEnd = nonceEnd + TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(idEnd, nonceEnd))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(nonceEnd, tagEnd))
      return decipher.update(sealed.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8')
    },
    token(purpose, subject) {
      return createHmac('sha256', keys.at(-1)!.bytes).update(`${purpose}\n${subject}`).digest('base64url')
    },
  }
}
