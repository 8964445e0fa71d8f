import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto'

/** A key for secrets at rest: 32 bytes under a short name. */
export interface SealKey {
  readonly id: string
  readonly bytes: Buffer
}

/** Keeps secrets unreadable at rest: AES-256-GCM, with the key's id in front, so that keys can be changed. */
export interface Seal {
  /** `context` (a machine's id, say) must be the same when it is opened: a sealed text can't be moved elsewhere. */
  seal(plain: string, context: string): Buffer
  open(sealed: Buffer, context: string): string
  /** A token that only we can make for this subject, the same each time; for links that may be sent twice. */
  token(purpose: string, subject: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `keys[0]` seals; all of them open. */
export function makeSeal(keys: readonly [SealKey, ...SealKey[]]): Seal {
  // As bytes a key would be read anew at each use: opening a list's passwords took three times as long.
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
      if (key === undefined) throw new Error(`The key ${id} that sealed this is not among the keys given.`)
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
