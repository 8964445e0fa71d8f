import { randomUUID } from 'node:crypto'
import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import { keyOf } from './ids.ts'

export type Document = Record<string, unknown>

export interface Resource {
  readonly key: string
  readonly id: string
  readonly type: string
  readonly subscription: string
  /** Key of the resource group. For a group: its own key. */
  readonly group: string
  /** Key of the resource that contains this one (a subnet's network, a rule's security group). */
  readonly parent: string | null
  readonly name: string
  readonly uid: string
  readonly state: string
  readonly location: string
  readonly tags: Readonly<Record<string, string>> | undefined
  readonly doc: Document
  readonly revision: number
  readonly createdAt: number
}

type Row = Omit<Resource, 'tags' | 'doc' | 'createdAt'> & { tags: string | null; doc: string; created_at: number }

export interface NewResource {
  id: string
  type: string
  subscription: string
  group: string
  parent?: string
  name: string
  state: string
  location: string
  tags?: Readonly<Record<string, string>> | undefined
  doc: Document
}

export interface Link {
  readonly source: string
  readonly role: string
  readonly target: string
  /** ID of the referring part (an IP configuration) or of the whole resource. */
  readonly via: string
}

export class Resources {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  find(key: string): Resource | undefined {
    const row = this.#database.one<Row>('SELECT * FROM resource WHERE key = ?', key)
    return row === undefined ? undefined : read(row)
  }

  add(resource: NewResource, now: number): Resource {
    const uid = randomUUID()
    const key = keyOf(resource.id)
    this.#database.run(
      `INSERT INTO resource (key, id, type, subscription, "group", parent, name, uid, state, location, tags, doc, revision, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)`,
      key,
      resource.id,
      resource.type,
      resource.subscription.toLowerCase(),
      resource.group,
      resource.parent ?? null,
      resource.name,
      uid,
      resource.state,
      resource.location,
      resource.tags === undefined ? null : JSON.stringify(resource.tags),
      JSON.stringify(resource.doc),
      wholeSecond(now),
    )
    this.#remember('created', resource.type, resource.id, uid, now)
    return this.get(key)
  }

  get(key: string): Resource {
    const found = this.find(key)
    if (found === undefined) throw new Error(`${key} does not exist.`)
    return found
  }

  change(key: string, change: { state?: string; tags?: Resource['tags']; doc?: Document }): Resource {
    const before = this.get(key)
    const tags = 'tags' in change ? change.tags : before.tags
    this.#database.run(
      'UPDATE resource SET state = ?, tags = ?, doc = ?, revision = revision + 1 WHERE key = ?',
      change.state ?? before.state,
      tags === undefined ? null : JSON.stringify(tags),
      JSON.stringify(change.doc ?? before.doc),
      key,
    )
    return this.get(key)
  }

  setState(key: string, state: string): void {
    this.#database.run('UPDATE resource SET state = ?, revision = revision + 1 WHERE key = ?', state, key)
  }

  remove(key: string, now: number): void {
    for (const part of this.parts(key)) this.remove(part.key, now)
    const removed = this.find(key)
    if (removed === undefined) return
    this.unlink(key)
    this.#database.run('DELETE FROM resource WHERE key = ?', key)
    this.#remember('deleted', removed.type, removed.id, removed.uid, now)
  }

  parts(parent: string): Resource[] {
    return this.#database.all<Row>('SELECT * FROM resource WHERE parent = ? ORDER BY created_at, key', parent).map(read)
  }

  inGroup(group: string): Resource[] {
    return this.#database
      .all<Row>('SELECT * FROM resource WHERE "group" = ? AND key <> ? ORDER BY key', group, group)
      .map(read)
  }

  inSubscription(subscription: string): Resource[] {
    return this.#database
      .all<Row>(
        'SELECT * FROM resource WHERE subscription = ? AND key <> "group" ORDER BY key',
        subscription.toLowerCase(),
      )
      .map(read)
  }

  page(type: string, scope: { subscription: string; group?: string }, after: string, limit: number): Resource[] {
    if (scope.group !== undefined) {
      return this.#database
        .all<Row>(
          'SELECT * FROM resource WHERE "group" = ? AND type = ? AND key > ? ORDER BY key LIMIT ?',
          scope.group,
          type,
          after,
          limit,
        )
        .map(read)
    }
    return this.#database
      .all<Row>(
        'SELECT * FROM resource WHERE type = ? AND subscription = ? AND key > ? ORDER BY key LIMIT ?',
        type,
        scope.subscription.toLowerCase(),
        after,
        limit,
      )
      .map(read)
  }

  count(type: string, subscription: string, location: string): number {
    const row = this.#database.one<{ n: number }>(
      'SELECT count(*) AS n FROM resource WHERE type = ? AND subscription = ? AND location = ?',
      type,
      subscription.toLowerCase(),
      location,
    )
    return row?.n ?? 0
  }

  ofType(type: string): Resource[] {
    return this.#database.all<Row>('SELECT * FROM resource WHERE type = ? ORDER BY created_at, key', type).map(read)
  }

  link(source: string, role: string, target: string, via: string): void {
    this.#database.run(
      'INSERT OR IGNORE INTO link (source, role, target, via) VALUES (?, ?, ?, ?)',
      source,
      role,
      target,
      via,
    )
  }

  unlink(source: string, role?: string): void {
    if (role === undefined) this.#database.run('DELETE FROM link WHERE source = ?', source)
    else this.#database.run('DELETE FROM link WHERE source = ? AND role = ?', source, role)
  }

  linksFrom(source: string, role: string): Link[] {
    return this.#database.all<Link>('SELECT * FROM link WHERE source = ? AND role = ?', source, role)
  }

  linksTo(target: string, role: string): Link[] {
    return this.#database.all<Link>('SELECT * FROM link WHERE target = ? AND role = ?', target, role)
  }

  #remember(event: 'created' | 'deleted', type: string, id: string, uid: string, now: number): void {
    this.#database.run(
      'INSERT INTO history (at, event, type, id, uid) VALUES (?, ?, ?, ?, ?)',
      wholeSecond(now),
      event,
      type,
      id,
      uid,
    )
  }
}

function read(row: Row): Resource {
  const { tags, doc, created_at: createdAt, ...rest } = row
  let read: Document | undefined
  return {
    ...rest,
    tags: tags === null ? undefined : (JSON.parse(tags) as Record<string, string>),
    createdAt,
    // Parsed on first use, because lists of power states for thousands of machines need no documents.
    get doc() {
      read ??= JSON.parse(doc) as Document
      return read
    },
  }
}
