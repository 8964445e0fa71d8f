import type { Database } from '@trainyard/platform/emulator/record/database.ts'
import type { Settings } from '@trainyard/platform/emulator/record/settings.ts'

/** Request forms of real products, which differ from each other and from the standard. */
export const styles = ['entra', 'okta'] as const
export type Style = (typeof styles)[number]

export interface Connection {
  readonly url: string
  readonly token: string
  readonly style: Style
}

/**
 * A user of the emulated directory. `remote_id` is the ID at the portal. `sent` is the content that was last sent to
 * the portal, or null.
 */
export interface Person {
  readonly number: number
  readonly user_name: string
  readonly given_name: string
  readonly family_name: string
  readonly active: number
  readonly deleted: number
  readonly remote_id: string | null
  readonly sent: string | null
  readonly problem: string | null
}

/** A group of the emulated directory. `members` is a JSON list of the numbers of its users. */
export interface Group {
  readonly number: number
  readonly name: string
  readonly members: string
  readonly deleted: number
  readonly remote_id: string | null
  readonly sent: string | null
  readonly problem: string | null
}

export interface SentRequest {
  readonly sent_at: number
  readonly request: string
  readonly status: number | null
  readonly body: string
  readonly reply: string
}

const people = [
  ['asha.rao@acme.test', 'Asha', 'Rao'],
  ['vikram.shah@acme.test', 'Vikram', 'Shah'],
  ['meera.iyer@acme.test', 'Meera', 'Iyer'],
  ['imran.khan@acme.test', 'Imran', 'Khan'],
] as const

/** Number of stored requests. Older ones are deleted. */
const storedRequests = 200

/** Users and groups of an organisation's directory, and the requests sent to provision them. */
export class DirectoryRecords {
  readonly #database: Database
  readonly #settings: Settings

  constructor(database: Database, settings: Settings) {
    this.#database = database
    this.#settings = settings
    const common = 'deleted INTEGER NOT NULL DEFAULT 0, remote_id TEXT, sent TEXT, problem TEXT'
    database.applySchema(`
      CREATE TABLE IF NOT EXISTS scim_person (number INTEGER PRIMARY KEY AUTOINCREMENT, user_name TEXT NOT NULL,
        given_name TEXT NOT NULL, family_name TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1, ${common});
      CREATE TABLE IF NOT EXISTS scim_group (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL,
        members TEXT NOT NULL DEFAULT '[]', ${common});
      CREATE TABLE IF NOT EXISTS scim_request (number INTEGER PRIMARY KEY, sent_at INTEGER NOT NULL,
        request TEXT NOT NULL, status INTEGER, body TEXT NOT NULL, reply TEXT NOT NULL)`)
    if (settings.read('scim.filled') !== undefined) return
    for (const [userName, givenName, familyName] of people) this.addPerson(userName, givenName, familyName)
    this.addGroup('Linux class', [1, 2, 3])
    this.addGroup('Lab admins', [4])
    settings.write('scim.filled', 'yes')
  }

  get connection(): Connection | null {
    const stored = this.#settings.read('scim.connection')
    return stored === undefined ? null : (JSON.parse(stored) as Connection)
  }
  /** Stores the connection. If the address or token changed, all users and groups are sent again. */
  connect(connection: Connection): void {
    const before = this.connection
    this.#settings.write('scim.connection', JSON.stringify(connection))
    if (before !== null && before.url === connection.url && before.token === connection.token) return
    for (const table of ['scim_person', 'scim_group'] as const) {
      this.#database.run(`DELETE FROM ${table} WHERE deleted = 1`)
      this.#database.run(`UPDATE ${table} SET remote_id = NULL, sent = NULL, problem = NULL`)
    }
  }

  people(): Person[] {
    return this.#database.all<Person>('SELECT * FROM scim_person ORDER BY number')
  }
  groups(): Group[] {
    return this.#database.all<Group>('SELECT * FROM scim_group ORDER BY number')
  }
  addPerson(userName: string, givenName: string, familyName: string): void {
    const insert = 'INSERT INTO scim_person (user_name, given_name, family_name) VALUES (?, ?, ?)'
    this.#database.run(insert, userName, givenName, familyName)
  }
  addGroup(name: string, members: readonly number[] = []): void {
    this.#database.run('INSERT INTO scim_group (name, members) VALUES (?, ?)', name, JSON.stringify(members))
  }
  setActive(number: number, active: boolean): void {
    this.#database.run('UPDATE scim_person SET active = ? WHERE number = ?', active ? 1 : 0, number)
  }
  setMembers(number: number, members: readonly number[]): void {
    this.#database.run('UPDATE scim_group SET members = ? WHERE number = ?', JSON.stringify(members), number)
  }
  /** Marks a record for deletion. The next run deletes the record at the portal and then here. */
  markDeleted(table: 'scim_person' | 'scim_group', number: number): void {
    this.#database.run(`UPDATE ${table} SET deleted = 1 WHERE number = ?`, number)
  }
  remove(table: 'scim_person' | 'scim_group', number: number): void {
    this.#database.run(`DELETE FROM ${table} WHERE number = ?`, number)
  }
  store(
    table: 'scim_person' | 'scim_group',
    number: number,
    { remoteId, sent, problem }: { remoteId: string | null; sent: string | null; problem: string | null },
  ): void {
    const update = `UPDATE ${table} SET remote_id = ?, sent = ?, problem = ? WHERE number = ?`
    this.#database.run(update, remoteId, sent, problem, number)
  }

  requests(): SentRequest[] {
    return this.#database.all<SentRequest>('SELECT * FROM scim_request ORDER BY number DESC')
  }
  log({ sent_at, request, status, body, reply }: SentRequest): void {
    const insert = 'INSERT INTO scim_request (sent_at, request, status, body, reply) VALUES (?, ?, ?, ?, ?)'
    this.#database.run(insert, sent_at, request, status, body, reply)
    const remove = 'DELETE FROM scim_request WHERE number <= (SELECT max(number) FROM scim_request) - ?'
    this.#database.run(remove, storedRequests)
  }
}
