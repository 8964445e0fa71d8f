import { webcrypto } from 'node:crypto'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

export interface KeyPair {
  readonly cert: string
  readonly key: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** Validity in days. Certificates that Windows generates are valid for half a year. */
const DAYS = 180

/** Self-signed certificates of the machines' desktops. They are stored, as on a real disk. */
export class Certificates {
  readonly #database: Database
  readonly #pending = new Map<string, Promise<KeyPair>>()

  constructor(database: Database) {
    this.#database = database
    database.applySchema(
      'CREATE TABLE IF NOT EXISTS desktop_certificate (uid TEXT PRIMARY KEY, cert TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID',
    )
  }

  async get(uid: string, hostname: string): Promise<KeyPair> {
    const stored = this.#database.one<KeyPair>('SELECT cert, key FROM desktop_certificate WHERE uid = ?', uid)
    if (stored !== undefined) return stored
    const pending = this.#pending.get(uid) ?? this.change(uid, hostname).finally(() => this.#pending.delete(uid))
    this.#pending.set(uid, pending)
    return pending
  }

  /** Replaces the machine's certificate, as if another machine had its address. */
  async change(uid: string, hostname: string): Promise<KeyPair> {
    const created = await selfSigned(hostname)
    this.#database.run(
      'INSERT INTO desktop_certificate (uid, cert, key) VALUES (?, ?, ?) ON CONFLICT (uid) DO UPDATE SET cert = excluded.cert, key = excluded.key',
      uid,
      created.cert,
      created.key,
    )
    return created
  }
}

/** Imports the library on first use: it has 200 modules, and most runs have no desktop. */
async function generator() {
  await import('reflect-metadata')
  return (await import('@peculiar/x509')).X509CertificateGenerator
}

async function selfSigned(hostname: string): Promise<KeyPair> {
  const X509CertificateGenerator = await generator()
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const now = Date.now()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${hostname}`,
    notBefore: new Date(now - 60_000),
    notAfter: new Date(now + DAYS * 24 * 3600_000),
    signingAlgorithm: ALGORITHM,
    keys: keys as unknown as CryptoKeyPair,
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    cert: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.replaceAll(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
  }
}
