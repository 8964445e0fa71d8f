import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Book } from '#src/record/book.ts'

/** The account that is really on a machine's disk, or on the copy of one in an image: a password as a salted mark. */
export const accountTable = `
CREATE TABLE IF NOT EXISTS account (
  uid TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  salt TEXT NOT NULL,
  mark TEXT NOT NULL
) WITHOUT ROWID;
`

/** A password that will be set once the work that was asked for is done; never the password itself. */
export interface SealedAccount {
  readonly username: string
  readonly salt: string
  readonly mark: string
}

export class Accounts {
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
  }

  set(uid: string, { username, salt, mark }: SealedAccount): void {
    this.#book.run(
      `INSERT INTO account (uid, username, salt, mark) VALUES (?, ?, ?, ?)
       ON CONFLICT (uid) DO UPDATE SET username = excluded.username, salt = excluded.salt, mark = excluded.mark`,
      uid,
      username,
      salt,
      mark,
    )
  }

  /** A copied disk has the same account on it. */
  copy(from: string, to: string): void {
    this.#book.run(
      `INSERT INTO account (uid, username, salt, mark) SELECT ?, username, salt, mark FROM account WHERE uid = ?
       ON CONFLICT (uid) DO UPDATE SET username = excluded.username, salt = excluded.salt, mark = excluded.mark`,
      to,
      from,
    )
  }

  forget(uid: string): void {
    this.#book.run('DELETE FROM account WHERE uid = ?', uid)
  }

  nameOn(uid: string): string | undefined {
    return this.#book.one<SealedAccount>('SELECT * FROM account WHERE uid = ?', uid)?.username
  }

  lets(uid: string, username: string, password: string): boolean {
    const account = this.#book.one<SealedAccount>('SELECT * FROM account WHERE uid = ?', uid)
    if (account === undefined || account.username.toLowerCase() !== username.toLowerCase()) return false
    return timingSafeEqual(Buffer.from(account.mark), Buffer.from(markOf(account.salt, password)))
  }
}

export function sealedAccount(username: string, password: string): SealedAccount {
  const salt = randomBytes(12).toString('base64')
  return { username, salt, mark: markOf(salt, password) }
}

const markOf = (salt: string, password: string): string =>
  createHash('sha256').update(`${salt}:${password}`).digest('base64')
