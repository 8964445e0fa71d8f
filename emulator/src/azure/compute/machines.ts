import { wholeSecond } from '#src/clock/clock.ts'
import type { Book } from '#src/record/book.ts'
import type { Failure } from '#src/azure/arm/long-operations.ts'
import type { Size } from '#src/azure/compute/sizes.ts'

/** A machine's life is kept after it has gone; one of the same name made later is another machine. */
export const machineTables = `
CREATE TABLE IF NOT EXISTS machine (
  uid TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  "group" TEXT NOT NULL,
  group_name TEXT NOT NULL,
  subscription TEXT NOT NULL,
  location TEXT NOT NULL,
  size TEXT NOT NULL,
  family TEXT NOT NULL,
  cores INTEGER NOT NULL,
  os TEXT NOT NULL,
  tags TEXT,
  power TEXT,
  power_before TEXT,
  changed_at INTEGER NOT NULL,
  failure TEXT,
  password TEXT,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS machine_by_key ON machine (key);
CREATE INDEX IF NOT EXISTS machine_by_name ON machine (lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS machine_by_group ON machine ("group") WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS machine_cores ON machine (subscription, location, family, cores) WHERE deleted_at IS NULL;
CREATE TABLE IF NOT EXISTS power (
  uid TEXT NOT NULL,
  seq INTEGER NOT NULL,
  state TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (uid, seq)
) WITHOUT ROWID;
`

/** Azure's names for the power states, and the two ends of a life between which it has none. */
export type Power = 'starting' | 'running' | 'stopping' | 'stopped' | 'deallocating' | 'deallocated'
export type Recorded = 'creating' | Power | 'failed' | 'deleting' | 'deleted'

/** While in these, the machine is billed. */
export const billed: ReadonlySet<string> = new Set<Recorded>(['starting', 'running', 'stopping', 'stopped'])

export interface Machine {
  readonly uid: string
  readonly key: string
  readonly id: string
  readonly name: string
  readonly group: string
  readonly group_name: string
  readonly subscription: string
  readonly location: string
  readonly size: string
  readonly os: 'Windows' | 'Linux'
  readonly tags: string | null
  /** null before the first start and once it goes. */
  readonly power: Power | null
  readonly power_before: Power | null
  /** When its provisioning state was last entered: what its status says. */
  readonly changed_at: number
  readonly failure: string | null
  readonly password: string | null
  readonly created_at: number
  readonly deleted_at: number | null
}

export interface NewMachine {
  uid: string
  key: string
  id: string
  name: string
  group: string
  groupName: string
  subscription: string
  location: string
  size: Size
  os: 'Windows' | 'Linux'
  tags: Readonly<Record<string, string>> | undefined
  password: string | null
}

/** The lives of machines: power and bills. What Azure's documents say of them stands with the resources. */
export class Machines {
  readonly #book: Book
  /** Restarts since this process began, of each machine: what is connected to one ends with a restart. */
  readonly #restarts = new Map<string, number>()

  constructor(book: Book) {
    this.#book = book
  }

  restarts(uid: string): number {
    return this.#restarts.get(uid) ?? 0
  }

  restarted(uid: string): void {
    this.#restarts.set(uid, this.restarts(uid) + 1)
  }

  get(uid: string): Machine {
    const found = this.find(uid)
    if (found === undefined) throw new Error(`No machine has the uid ${uid}.`)
    return found
  }

  find(uid: string): Machine | undefined {
    return this.#book.one<Machine>('SELECT * FROM machine WHERE uid = ?', uid)
  }

  existingByName(name: string): Machine[] {
    return this.#book.all<Machine>(
      'SELECT * FROM machine WHERE deleted_at IS NULL AND lower(name) = ? ORDER BY key',
      name.toLowerCase(),
    )
  }

  coresUsed(subscription: string, location: string): number {
    const row = this.#book.one<{ n: number | null }>(
      'SELECT sum(cores) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL',
      subscription.toLowerCase(),
      location,
    )
    return row?.n ?? 0
  }

  coresByFamily(subscription: string, location: string): Map<string, number> {
    const rows = this.#book.all<{ family: string; n: number }>(
      'SELECT family, sum(cores) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL GROUP BY family',
      subscription.toLowerCase(),
      location,
    )
    return new Map(rows.map(({ family, n }) => [family, n]))
  }

  count(subscription: string, location: string): number {
    const row = this.#book.one<{ n: number }>(
      'SELECT count(*) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL',
      subscription.toLowerCase(),
      location,
    )
    return row?.n ?? 0
  }

  add(made: NewMachine, now: number): void {
    const instant = wholeSecond(now)
    this.#book.run(
      `INSERT INTO machine (uid, key, id, name, "group", group_name, subscription, location, size, family, cores, os, tags, changed_at, password, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      made.uid,
      made.key,
      made.id,
      made.name,
      made.group,
      made.groupName,
      made.subscription.toLowerCase(),
      made.location,
      made.size.name,
      made.size.family,
      made.size.cores,
      made.os,
      made.tags === undefined ? null : JSON.stringify(made.tags),
      instant,
      made.password,
      instant,
    )
    this.#write(made.uid, 'creating', now)
  }

  /** As if it had never been. */
  forget(uid: string): void {
    this.#book.run('DELETE FROM power WHERE uid = ?', uid)
    this.#book.run('DELETE FROM machine WHERE uid = ?', uid)
  }

  setTags(uid: string, tags: Readonly<Record<string, string>> | undefined): void {
    const text = tags === undefined ? null : JSON.stringify(tags)
    this.#book.run('UPDATE machine SET tags = ? WHERE uid = ?', text, uid)
  }

  resize(uid: string, size: Size): void {
    this.#book.run(
      'UPDATE machine SET size = ?, family = ?, cores = ? WHERE uid = ?',
      size.name,
      size.family,
      size.cores,
      uid,
    )
  }

  /** A change of power, from the instant on. */
  power(uid: string, power: Power, instant: number): void {
    this.#book.run('UPDATE machine SET power_before = power, power = ? WHERE uid = ?', power, uid)
    this.#write(uid, power, instant)
  }

  /** Restores the power state from before the change that has now failed. */
  powerBack(uid: string, instant: number): void {
    const { power_before: before } = this.get(uid)
    if (before === null) {
      this.#book.run('UPDATE machine SET power = NULL WHERE uid = ?', uid)
      this.#write(uid, 'failed', instant)
    } else {
      this.power(uid, before, instant)
    }
  }

  /** Its provisioning state was entered at this instant; with a failure, for that reason. */
  changed(uid: string, instant: number, failure: Failure | null): void {
    this.#book.run(
      'UPDATE machine SET changed_at = ?, failure = ? WHERE uid = ?',
      wholeSecond(instant),
      failure === null ? null : JSON.stringify(failure),
      uid,
    )
  }

  /** It is on its way out: billing ends here. */
  going(uid: string, now: number): void {
    this.#book.run('UPDATE machine SET power_before = power, power = NULL WHERE uid = ?', uid)
    this.changed(uid, now, null)
    this.#write(uid, 'deleting', now)
  }

  /** Nothing happens when it is no machine's uid, or it has gone already. */
  gone(uid: string, instant: number): void {
    const changed = this.#book.run(
      'UPDATE machine SET deleted_at = ?, power = NULL, password = NULL WHERE uid = ? AND deleted_at IS NULL',
      wholeSecond(instant),
      uid,
    )
    if (changed > 0) this.#write(uid, 'deleted', instant)
  }

  groupGoes(group: string, now: number): void {
    for (const machine of this.#machinesIn(group)) this.going(machine.uid, now)
  }

  groupStays(group: string, instant: number, failure: Failure): void {
    for (const machine of this.#machinesIn(group)) {
      this.powerBack(machine.uid, instant)
      this.changed(machine.uid, instant, failure)
    }
  }

  #machinesIn(group: string): Machine[] {
    return this.#book.all<Machine>('SELECT * FROM machine WHERE "group" = ? AND deleted_at IS NULL', group)
  }

  #write(uid: string, state: Recorded, instant: number): void {
    this.#book.run(
      'INSERT INTO power (uid, seq, state, at) VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM power WHERE uid = ?), ?, ?)',
      uid,
      uid,
      state,
      wholeSecond(instant),
    )
  }
}
