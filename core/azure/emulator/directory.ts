import { randomBytes, randomUUID } from 'node:crypto'
import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

/** Users of the directory. Rows of purged users are retained as a record of who could ever sign in. */
const directoryTables = `
CREATE TABLE IF NOT EXISTS directory_user (
  id TEXT PRIMARY KEY,
  upn TEXT NOT NULL,
  display_name TEXT NOT NULL,
  mail_nickname TEXT NOT NULL,
  more TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  password TEXT NOT NULL,
  must_change INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  visible_at INTEGER NOT NULL,
  blocked_at INTEGER,
  sessions_revoked_at INTEGER,
  deleted_at INTEGER,
  purged_at INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS directory_authenticator (user TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS directory_access_pass (
  user TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  pass TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  once INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS directory_user_upn ON directory_user (lower(upn)) WHERE purged_at IS NULL;
CREATE INDEX IF NOT EXISTS directory_user_created ON directory_user (created_at, id);
`

export interface DirectoryUser {
  readonly id: string
  readonly upn: string
  readonly display_name: string
  readonly mail_nickname: string
  readonly more: string
  readonly enabled: 0 | 1
  readonly password: string
  readonly must_change: 0 | 1
  readonly created_at: number
  readonly visible_at: number
  readonly blocked_at: number | null
  readonly sessions_revoked_at: number | null
  readonly deleted_at: number | null
  readonly purged_at: number | null
}

export interface NewDirectoryUser {
  readonly upn: string
  readonly displayName: string
  readonly mailNickname: string
  readonly more: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly password: string
  readonly mustChange: boolean
}

export class Directory {
  readonly #database: Database

  constructor(database: Database) {
    database.applySchema(directoryTables)
    this.#database = database
  }

  visible(idOrName: string, now: number): DirectoryUser | undefined {
    const user = this.existing(idOrName)
    return user !== undefined && user.visible_at <= now ? user : undefined
  }

  existing(idOrName: string): DirectoryUser | undefined {
    return this.#database.one<DirectoryUser>(
      'SELECT * FROM directory_user WHERE (id = ?1 OR lower(upn) = ?1) AND deleted_at IS NULL',
      idOrName.toLowerCase(),
    )
  }

  page(state: 'existing' | 'deleted', now: number, after: string, limit: number): DirectoryUser[] {
    const condition = state === 'existing' ? 'deleted_at IS NULL AND visible_at <= ?1' : 'deleted_at <= ?1'
    return this.#database.all<DirectoryUser>(
      `SELECT * FROM directory_user WHERE purged_at IS NULL AND ${condition}
       AND (created_at, id) > (coalesce((SELECT created_at FROM directory_user WHERE id = ?2), -1), ?2)
       ORDER BY created_at, id LIMIT ?3`,
      now,
      after,
      limit,
    )
  }

  deleted(id: string): DirectoryUser | undefined {
    return this.#database.one<DirectoryUser>(
      'SELECT * FROM directory_user WHERE id = ? AND deleted_at IS NOT NULL AND purged_at IS NULL',
      id.toLowerCase(),
    )
  }

  /** Returns the oldest first. If two were created at the same instant, the deleted one comes first. */
  all(): DirectoryUser[] {
    return this.#database.all<DirectoryUser>('SELECT * FROM directory_user ORDER BY created_at, deleted_at IS NULL, id')
  }

  add(user: NewDirectoryUser, now: number, seenAfterSeconds: number): DirectoryUser {
    const id = randomUUID()
    this.#database.run(
      `INSERT INTO directory_user (id, upn, display_name, mail_nickname, more, enabled, password, must_change, created_at, visible_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      user.upn,
      user.displayName,
      user.mailNickname,
      JSON.stringify(user.more),
      user.enabled ? 1 : 0,
      user.password,
      user.mustChange ? 1 : 0,
      wholeSecond(now),
      now + seenAfterSeconds * 1000,
    )
    return this.existing(id)!
  }

  change(user: DirectoryUser, change: { enabled?: boolean; password?: string; more?: object }, now: number): void {
    const enabled = change.enabled ?? user.enabled === 1
    this.#database.run(
      'UPDATE directory_user SET enabled = ?, password = ?, more = ?, blocked_at = ? WHERE id = ?',
      enabled ? 1 : 0,
      change.password ?? user.password,
      JSON.stringify({ ...(JSON.parse(user.more) as object), ...change.more }),
      enabled ? null : (user.blocked_at ?? wholeSecond(now)),
      user.id,
    )
  }

  /** Stores milliseconds, so that sessions started in the same second also end. */
  revokeSessions(user: DirectoryUser, now: number): void {
    this.#database.run('UPDATE directory_user SET sessions_revoked_at = ? WHERE id = ?', now, user.id)
  }

  /** True if the user has set up a second factor. */
  hasAuthenticator({ id }: DirectoryUser): boolean {
    return this.#database.one('SELECT user FROM directory_authenticator WHERE user = ?', id) !== undefined
  }

  addAuthenticator({ id }: DirectoryUser): void {
    this.#database.run('INSERT INTO directory_authenticator VALUES (?) ON CONFLICT DO NOTHING', id)
  }

  /** A user has at most one Temporary Access Pass: a new one replaces it. */
  setAccessPass({ id: user }: DirectoryUser, milliseconds: number, once: boolean, now: number) {
    const [id, pass] = [randomUUID(), randomBytes(6).toString('base64url')]
    this.#database.run(
      'INSERT OR REPLACE INTO directory_access_pass VALUES (?, ?, ?, ?, ?)',
      user,
      id,
      pass,
      now + milliseconds,
      once ? 1 : 0,
    )
    return { id, pass }
  }

  /** Returns true if the text is the user's valid Temporary Access Pass, which a single use may end. */
  useAccessPass({ id }: DirectoryUser, pass: string, now: number): boolean {
    const found = this.#database.one<{ once: 0 | 1 }>(
      'SELECT once FROM directory_access_pass WHERE user = ? AND pass = ? AND ends_at > ?',
      id,
      pass,
      now,
    )
    if (found?.once === 1) this.#database.run('DELETE FROM directory_access_pass WHERE user = ?', id)
    return found !== undefined
  }

  delete(user: DirectoryUser, now: number): void {
    this.#database.run(
      'UPDATE directory_user SET deleted_at = ?, upn = ? WHERE id = ?',
      wholeSecond(now),
      `${user.id.replaceAll('-', '')}${user.upn}`,
      user.id,
    )
  }

  restore(user: DirectoryUser): void {
    const upn = user.upn.slice(32)
    this.#database.run('UPDATE directory_user SET deleted_at = NULL, upn = ? WHERE id = ?', upn, user.id)
  }

  purge(user: DirectoryUser, now: number): void {
    this.#database.run('UPDATE directory_user SET purged_at = ? WHERE id = ?', wholeSecond(now), user.id)
  }
}
