import type { Book } from '#src/record/book.ts'
import ssh2 from 'ssh2'

/** The key that a machine's SSH server has shown since it was made: kept, as a disk would keep it. */
export class HostKeys {
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
    book.prepare('CREATE TABLE IF NOT EXISTS host_key (uid TEXT PRIMARY KEY, pem TEXT NOT NULL) WITHOUT ROWID')
  }

  /** The machine's private key; made when it is first asked for. */
  of(uid: string): string {
    const kept = this.#book.one<{ pem: string }>('SELECT pem FROM host_key WHERE uid = ?', uid)
    if (kept !== undefined) return kept.pem
    this.change(uid)
    return this.of(uid)
  }

  /** Gives the machine another key, as if somebody had taken its place. */
  change(uid: string): void {
    // Not ed25519: one in some two hundred that ssh2 generates can't be read again (mscdex/ssh2#1390).
    const { private: pem } = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })
    this.#book.run(
      'INSERT INTO host_key (uid, pem) VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET pem = excluded.pem',
      uid,
      pem,
    )
  }
}
