import { uniqueId } from '../ids.ts'
import { text, type AwsCall } from '../operation.ts'
import { noSuchEntity } from '../refusal.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'

export interface User {
  readonly uid: string
  readonly account: string
  readonly name: string
  readonly path: string
  readonly created_at: number
  readonly deleted_at: number | null
}

/** Kinds of parts attached to a user. All except tags and the boundary prevent its deletion. */
export type PartKind =
  | 'tag'
  | 'boundary'
  | 'login'
  | 'inline'
  | 'attached'
  | 'key'
  | 'group'
  | 'mfa'
  | 'certificate'
  | 'ssh'
  | 'service'

export interface Part {
  readonly seq: number
  readonly uid: string
  readonly kind: PartKind
  readonly name: string
  readonly doc: string
  readonly created_at: number
}

const IS_VISIBLE = 'seen_from <= ? AND (seen_until IS NULL OR seen_until > ?)'

/** Users of all accounts and their parts. Rows of deleted users are retained as history. */
export class Users {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  find({ account, now }: AwsCall, name: string): User | undefined {
    return this.#database.one<User>(
      `SELECT * FROM aws_user WHERE account = ? AND lower(name) = lower(?) AND ${IS_VISIBLE}
       ORDER BY created_at DESC, deleted_at IS NULL DESC LIMIT 1`,
      account,
      name,
      now,
      now,
    )
  }

  /** @throws AwsRefusal NoSuchEntity */
  get(call: AwsCall): User {
    const name = text(call, 'UserName')
    const user = this.find(call, name)
    if (user === undefined) throw noSuchUser(name)
    return user
  }

  /**
   * Requires the user to exist and to be visible to reads.
   * @throws AwsRefusal NoSuchEntity
   */
  existing(call: AwsCall): User {
    const user = this.get(call)
    if (user.deleted_at !== null) throw noSuchUser(text(call, 'UserName'))
    return user
  }

  exists(account: string, name: string): boolean {
    return (
      this.#database.one(
        'SELECT uid FROM aws_user WHERE account = ? AND lower(name) = lower(?) AND deleted_at IS NULL',
        account,
        name,
      ) !== undefined
    )
  }

  count(account: string): number {
    return (
      this.#database.one<{ n: number }>(
        'SELECT count(*) AS n FROM aws_user WHERE account = ? AND deleted_at IS NULL',
        account,
      )?.n ?? 0
    )
  }

  list({ account, now }: AwsCall, pathPrefix: string): User[] {
    return this.#database
      .all<User>(`SELECT * FROM aws_user WHERE account = ? AND ${IS_VISIBLE} ORDER BY name`, account, now, now)
      .filter(({ path }) => path.startsWith(pathPrefix))
  }

  /** Returns the oldest first. If two were created at the same instant, the deleted one comes first. */
  allEver(): User[] {
    return this.#database.all<User>('SELECT * FROM aws_user ORDER BY created_at, deleted_at IS NULL, uid')
  }

  add({ account, now, lag }: AwsCall, name: string, path: string): User {
    const uid = uniqueId('AIDA')
    this.#database.run(
      'INSERT INTO aws_user (uid, account, name, path, created_at, seen_from) VALUES (?, ?, ?, ?, ?, ?)',
      uid,
      account,
      name,
      path,
      now,
      now + lag,
    )
    return { uid, account, name, path, created_at: now, deleted_at: null }
  }

  remove({ now, lag }: AwsCall, user: User): void {
    for (const table of ['aws_user', 'aws_part']) {
      this.#database.run(
        `UPDATE ${table} SET deleted_at = ?, seen_until = ? WHERE uid = ? AND deleted_at IS NULL`,
        now,
        now + lag,
        user.uid,
      )
    }
  }

  parts({ now }: AwsCall, user: User, kind: PartKind): Part[] {
    return this.#database.all<Part>(
      `SELECT * FROM aws_part WHERE uid = ? AND kind = ? AND ${IS_VISIBLE} ORDER BY name, seq`,
      user.uid,
      kind,
      now,
      now,
    )
  }

  part(call: AwsCall, user: User, kind: PartKind, name: string): Part | undefined {
    return this.parts(call, user, kind).find((part) => part.name === name)
  }

  currentParts(user: User): Part[] {
    return this.#database.all<Part>(
      'SELECT * FROM aws_part WHERE uid = ? AND deleted_at IS NULL ORDER BY kind, name',
      user.uid,
    )
  }

  putPart(call: AwsCall, user: User, kind: PartKind, name: string, doc: object = {}): void {
    const before = this.currentParts(user).find((part) => part.kind === kind && part.name === name)
    this.#database.run(
      'UPDATE aws_part SET deleted_at = ?, seen_until = ? WHERE uid = ? AND kind = ? AND name = ? AND deleted_at IS NULL',
      call.now,
      call.now + call.lag,
      user.uid,
      kind,
      name,
    )
    this.#database.run(
      'INSERT INTO aws_part (uid, kind, name, doc, created_at, seen_from) VALUES (?, ?, ?, ?, ?, ?)',
      user.uid,
      kind,
      name,
      JSON.stringify(doc),
      before?.created_at ?? call.now,
      call.now + call.lag,
    )
  }

  removePart({ now, lag }: AwsCall, user: User, kind: PartKind, name: string): boolean {
    return (
      this.#database.run(
        `UPDATE aws_part SET deleted_at = ?, seen_until = ?
         WHERE uid = ? AND kind = ? AND name = ? AND deleted_at IS NULL AND seen_from <= ?`,
        now,
        now + lag,
        user.uid,
        kind,
        name,
        now,
      ) > 0
    )
  }

  ofKey(accessKey: string): { user: User; key: Part } | undefined {
    const key = this.#database.one<Part>(
      "SELECT * FROM aws_part WHERE kind = 'key' AND name = ? AND deleted_at IS NULL",
      accessKey,
    )
    if (key === undefined) return undefined
    const user = this.#database.one<User>('SELECT * FROM aws_user WHERE uid = ? AND deleted_at IS NULL', key.uid)
    return user === undefined ? undefined : { user, key }
  }
}

const noSuchUser = (name: string) => noSuchEntity(`The user with name ${name} cannot be found.`)
