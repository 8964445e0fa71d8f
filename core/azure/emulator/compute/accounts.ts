import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

/** Account on a machine's disk, or on the copy of a disk in an image. Passwords are stored as salted hashes. */
export const accountTable = `
CREATE TABLE IF NOT EXISTS account (
  uid TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  salt TEXT NOT NULL,
  mark TEXT NOT NULL
) WITHOUT ROWID;
`

export interface HashedAccount {
  readonly username: string
  readonly salt: string
  readonly mark: string
}

export class Accounts {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  set(uid: string, { username, salt, mark }: HashedAccount): void {
    this.#database.run(
      `INSERT INTO account (uid, username, salt, mark) VALUES (?, ?, ?, ?)
       ON CONFLICT (uid) DO UPDATE SET username = excluded.username, salt = excluded.salt, mark = excluded.mark`,
      uid,
      username,
      salt,
      mark,
    )
  }

  copy(from: string, to: string): void {
    this.#database.run(
      `INSERT INTO account (uid, username, salt, mark) SELECT ?, username, salt, mark FROM account WHERE uid = ?
       ON CONFLICT (uid) DO UPDATE SET username = excluded.username, salt = excluded.salt, mark = excluded.mark`,
      to,
      from,
    )
  }

  forget(uid: string): void {
    this.#database.run('DELETE FROM account WHERE uid = ?', uid)
  }

  usernameOf(uid: string): string | undefined {
    return this.#database.one<HashedAccount>('SELECT * FROM account WHERE uid = ?', uid)?.username
  }

  accepts(uid: string, username: string, password: string): boolean {
    const account = this.#database.one<HashedAccount>('SELECT * FROM account WHERE uid = ?', uid)
    if (account === undefined || account.username.toLowerCase() !== username.toLowerCase()) return false
    return timingSafeEqual(Buffer.from(account.mark), Buffer.from(hashPassword(account.salt, password)))
  }
}

export function hashAccount(username: string, password: string): HashedAccount {
  const salt = randomBytes(12).toString('base64')
  return { username, salt, mark: hashPassword(salt, password) }
}

const hashPassword = (salt: string, password: string): string =>
  createHash('sha256').update(`${salt}:${password}`).digest('base64')
