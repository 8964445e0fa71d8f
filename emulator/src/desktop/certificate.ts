import { webcrypto } from 'node:crypto'
import type { Book } from '#src/record/book.ts'

/** A certificate and its key, as TLS takes them. */
export interface Certified {
  readonly cert: string
  readonly key: string
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** Windows makes its own for half a year. */
const DAYS = 180

/** The certificate that a machine's desktop has shown since it was made, signed by nobody but itself: kept, as a disk would. */
export class Certificates {
  readonly #book: Book
  readonly #making = new Map<string, Promise<Certified>>()

  constructor(book: Book) {
    this.#book = book
    book.prepare(
      'CREATE TABLE IF NOT EXISTS desktop_certificate (uid TEXT PRIMARY KEY, cert TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID',
    )
  }

  /** The machine's certificate; made when it is first asked for. */
  async of(uid: string, hostname: string): Promise<Certified> {
    const kept = this.#book.one<Certified>('SELECT cert, key FROM desktop_certificate WHERE uid = ?', uid)
    if (kept !== undefined) return kept
    const making = this.#making.get(uid) ?? this.change(uid, hostname).finally(() => this.#making.delete(uid))
    this.#making.set(uid, making)
    return making
  }

  /** Gives the machine another certificate, as if somebody had taken its place. */
  async change(uid: string, hostname: string): Promise<Certified> {
    const made = await selfSigned(hostname)
    this.#book.run(
      'INSERT INTO desktop_certificate (uid, cert, key) VALUES (?, ?, ?) ON CONFLICT (uid) DO UPDATE SET cert = excluded.cert, key = excluded.key',
      uid,
      made.cert,
      made.key,
    )
    return made
  }
}

/** The library is loaded at the first desktop: most emulators show none, and it has 200 modules. */
async function generator() {
  await import('reflect-metadata')
  return (await import('@peculiar/x509')).X509CertificateGenerator
}

async function selfSigned(hostname: string): Promise<Certified> {
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
