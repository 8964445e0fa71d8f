import { uniqueId } from '#src/aws/ids.ts'
import { text, type AwsCall } from '#src/aws/operation.ts'
import { noSuchEntity } from '#src/aws/refusal.ts'
import type { Book } from '#src/record/book.ts'

export interface User {
  readonly uid: string
  readonly account: string
  readonly name: string
  readonly path: string
  readonly created_at: number
  readonly deleted_at: number | null
}

/** The kinds of what is attached to a user. All but tags and the boundary keep it from being deleted. */
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

const seen = 'seen_from <= ? AND (seen_until IS NULL OR seen_until > ?)'

/** The users of all accounts and what hangs on them; those that are no more are kept as history. */
export class Users {
  readonly #book: Book

  constructor(book: Book) {
    this.#book = book
  }

  /** As readers see it. */
  find({ account, now }: AwsCall, name: string): User | undefined {
    return this.#book.one<User>(
      `SELECT * FROM aws_user WHERE account = ? AND lower(name) = lower(?) AND ${seen}
       ORDER BY created_at DESC, deleted_at IS NULL DESC LIMIT 1`,
      account,
      name,
      now,
      now,
    )
  }

  /** The one that the call names. */
  get(call: AwsCall): User {
    const name = text(call, 'UserName')
    const user = this.find(call, name)
    if (user === undefined) throw noSuchUser(name)
    return user
  }

  /** The same for a change: it must be there, and be seen to be. */
  existing(call: AwsCall): User {
    const user = this.get(call)
    if (user.deleted_at !== null) throw noSuchUser(text(call, 'UserName'))
    return user
  }

  /** Returns true when the user exists, visible to readers yet or not. */
  exists(account: string, name: string): boolean {
    return (
      this.#book.one(
        'SELECT uid FROM aws_user WHERE account = ? AND lower(name) = lower(?) AND deleted_at IS NULL',
        account,
        name,
      ) !== undefined
    )
  }

  count(account: string): number {
    return (
      this.#book.one<{ n: number }>(
        'SELECT count(*) AS n FROM aws_user WHERE account = ? AND deleted_at IS NULL',
        account,
      )?.n ?? 0
    )
  }

  list({ account, now }: AwsCall, pathPrefix: string): User[] {
    return this.#book
      .all<User>(`SELECT * FROM aws_user WHERE account = ? AND ${seen} ORDER BY name`, account, now, now)
      .filter(({ path }) => path.startsWith(pathPrefix))
  }

  /** All that ever were, the oldest first; of two that were made in the same moment, the one that is gone. */
  ever(): User[] {
    return this.#book.all<User>('SELECT * FROM aws_user ORDER BY created_at, deleted_at IS NULL, uid')
  }

  add({ account, now, lag }: AwsCall, name: string, path: string): User {
    const uid = uniqueId('AIDA')
    this.#book.run(
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
      this.#book.run(
        `UPDATE ${table} SET deleted_at = ?, seen_until = ? WHERE uid = ? AND deleted_at IS NULL`,
        now,
        now + lag,
        user.uid,
      )
    }
  }

  /** As readers see them, by name. */
  parts({ now }: AwsCall, user: User, kind: PartKind): Part[] {
    return this.#book.all<Part>(
      `SELECT * FROM aws_part WHERE uid = ? AND kind = ? AND ${seen} ORDER BY name, seq`,
      user.uid,
      kind,
      now,
      now,
    )
  }

  part(call: AwsCall, user: User, kind: PartKind, name: string): Part | undefined {
    return this.parts(call, user, kind).find((part) => part.name === name)
  }

  /** Returns all that is attached to the user, visible to readers yet or not. */
  really(user: User): Part[] {
    return this.#book.all<Part>(
      'SELECT * FROM aws_part WHERE uid = ? AND deleted_at IS NULL ORDER BY kind, name',
      user.uid,
    )
  }

  /** Hangs something on a user, in place of what is there by that name: it stays as old as that was. */
  put(call: AwsCall, user: User, kind: PartKind, name: string, doc: object = {}): void {
    const before = this.really(user).find((part) => part.kind === kind && part.name === name)
    this.#book.run(
      'UPDATE aws_part SET deleted_at = ?, seen_until = ? WHERE uid = ? AND kind = ? AND name = ? AND deleted_at IS NULL',
      call.now,
      call.now + call.lag,
      user.uid,
      kind,
      name,
    )
    this.#book.run(
      'INSERT INTO aws_part (uid, kind, name, doc, created_at, seen_from) VALUES (?, ?, ?, ?, ?, ?)',
      user.uid,
      kind,
      name,
      JSON.stringify(doc),
      before?.created_at ?? call.now,
      call.now + call.lag,
    )
  }

  /** False when nothing by that name hangs there, or none that is seen yet. */
  drop({ now, lag }: AwsCall, user: User, kind: PartKind, name: string): boolean {
    return (
      this.#book.run(
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

  /** Returns the user of an access key while both exist. */
  ofKey(accessKey: string): { user: User; key: Part } | undefined {
    const key = this.#book.one<Part>(
      "SELECT * FROM aws_part WHERE kind = 'key' AND name = ? AND deleted_at IS NULL",
      accessKey,
    )
    if (key === undefined) return undefined
    const user = this.#book.one<User>('SELECT * FROM aws_user WHERE uid = ? AND deleted_at IS NULL', key.uid)
    return user === undefined ? undefined : { user, key }
  }
}

const noSuchUser = (name: string) => noSuchEntity(`The user with name ${name} cannot be found.`)
