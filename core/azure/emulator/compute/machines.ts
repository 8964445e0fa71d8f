import { wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Failure } from '../arm/operation.ts'
import type { Size } from './sizes.ts'

/** Rows of deleted machines are retained. A later machine of the same name is another row. */
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

export type Power = 'starting' | 'running' | 'stopping' | 'stopped' | 'deallocating' | 'deallocated'
export type MachineState = 'creating' | Power | 'failed' | 'deleting' | 'deleted'

export const billedStates: ReadonlySet<string> = new Set<MachineState>(['starting', 'running', 'stopping', 'stopped'])

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
  /** null before the first start and during and after deletion. */
  readonly power: Power | null
  readonly power_before: Power | null
  /** Time of the provisioning status: when the provisioning state last changed. */
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

export class Machines {
  readonly #database: Database
  /** Restarts since this process started, by machine. A restart closes the connections to the machine. */
  readonly #restarts = new Map<string, number>()

  constructor(database: Database) {
    this.#database = database
  }

  restarts(uid: string): number {
    return this.#restarts.get(uid) ?? 0
  }

  countRestart(uid: string): void {
    this.#restarts.set(uid, this.restarts(uid) + 1)
  }

  get(uid: string): Machine {
    const found = this.find(uid)
    if (found === undefined) throw new Error(`No machine has the uid ${uid}.`)
    return found
  }

  find(uid: string): Machine | undefined {
    return this.#database.one<Machine>('SELECT * FROM machine WHERE uid = ?', uid)
  }

  existingByName(name: string): Machine[] {
    return this.#database.all<Machine>(
      'SELECT * FROM machine WHERE deleted_at IS NULL AND lower(name) = ? ORDER BY key',
      name.toLowerCase(),
    )
  }

  coresUsed(subscription: string, location: string): number {
    const row = this.#database.one<{ n: number | null }>(
      'SELECT sum(cores) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL',
      subscription.toLowerCase(),
      location,
    )
    return row?.n ?? 0
  }

  coresByFamily(subscription: string, location: string): Map<string, number> {
    const rows = this.#database.all<{ family: string; n: number }>(
      'SELECT family, sum(cores) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL GROUP BY family',
      subscription.toLowerCase(),
      location,
    )
    return new Map(rows.map(({ family, n }) => [family, n]))
  }

  count(subscription: string, location: string): number {
    const row = this.#database.one<{ n: number }>(
      'SELECT count(*) AS n FROM machine WHERE subscription = ? AND location = ? AND deleted_at IS NULL',
      subscription.toLowerCase(),
      location,
    )
    return row?.n ?? 0
  }

  add(machine: NewMachine, now: number): void {
    const instant = wholeSecond(now)
    this.#database.run(
      `INSERT INTO machine (uid, key, id, name, "group", group_name, subscription, location, size, family, cores, os, tags, changed_at, password, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      machine.uid,
      machine.key,
      machine.id,
      machine.name,
      machine.group,
      machine.groupName,
      machine.subscription.toLowerCase(),
      machine.location,
      machine.size.name,
      machine.size.family,
      machine.size.cores,
      machine.os,
      machine.tags === undefined ? null : JSON.stringify(machine.tags),
      instant,
      machine.password,
      instant,
    )
    this.#write(machine.uid, 'creating', now)
  }

  forget(uid: string): void {
    this.#database.run('DELETE FROM power WHERE uid = ?', uid)
    this.#database.run('DELETE FROM machine WHERE uid = ?', uid)
  }

  setTags(uid: string, tags: Readonly<Record<string, string>> | undefined): void {
    const text = tags === undefined ? null : JSON.stringify(tags)
    this.#database.run('UPDATE machine SET tags = ? WHERE uid = ?', text, uid)
  }

  resize(uid: string, size: Size): void {
    this.#database.run(
      'UPDATE machine SET size = ?, family = ?, cores = ? WHERE uid = ?',
      size.name,
      size.family,
      size.cores,
      uid,
    )
  }

  setPower(uid: string, power: Power, instant: number): void {
    this.#database.run('UPDATE machine SET power_before = power, power = ? WHERE uid = ?', power, uid)
    this.#write(uid, power, instant)
  }

  revertPower(uid: string, instant: number): void {
    const { power_before: before } = this.get(uid)
    if (before === null) {
      this.#database.run('UPDATE machine SET power = NULL WHERE uid = ?', uid)
      this.#write(uid, 'failed', instant)
    } else {
      this.setPower(uid, before, instant)
    }
  }

  recordProvisioning(uid: string, instant: number, failure: Failure | null): void {
    this.#database.run(
      'UPDATE machine SET changed_at = ?, failure = ? WHERE uid = ?',
      wholeSecond(instant),
      failure === null ? null : JSON.stringify(failure),
      uid,
    )
  }

  markDeleting(uid: string, now: number): void {
    this.#database.run('UPDATE machine SET power_before = power, power = NULL WHERE uid = ?', uid)
    this.recordProvisioning(uid, now, null)
    this.#write(uid, 'deleting', now)
  }

  markDeleted(uid: string, instant: number): void {
    const changed = this.#database.run(
      'UPDATE machine SET deleted_at = ?, power = NULL, password = NULL WHERE uid = ? AND deleted_at IS NULL',
      wholeSecond(instant),
      uid,
    )
    if (changed > 0) this.#write(uid, 'deleted', instant)
  }

  markGroupDeleting(group: string, now: number): void {
    for (const machine of this.#machinesIn(group)) this.markDeleting(machine.uid, now)
  }

  revertGroupDeletion(group: string, instant: number, failure: Failure): void {
    for (const machine of this.#machinesIn(group)) {
      this.revertPower(machine.uid, instant)
      this.recordProvisioning(machine.uid, instant, failure)
    }
  }

  #machinesIn(group: string): Machine[] {
    return this.#database.all<Machine>('SELECT * FROM machine WHERE "group" = ? AND deleted_at IS NULL', group)
  }

  #write(uid: string, state: MachineState, instant: number): void {
    this.#database.run(
      'INSERT INTO power (uid, seq, state, at) VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM power WHERE uid = ?), ?, ?)',
      uid,
      uid,
      state,
      wholeSecond(instant),
    )
  }
}
