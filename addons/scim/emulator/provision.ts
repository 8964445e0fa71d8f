import { randomUUID } from 'node:crypto'
import type { Clock } from '@trainyard/platform/emulator/clock/clock.ts'
import type { Connection, DirectoryRecords, Group, Person } from './records.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const TIMEOUT_MS = 10_000

interface Reply {
  readonly status: number
  readonly body: {
    readonly id?: string
    readonly detail?: string
    readonly Resources?: readonly { readonly id: string }[]
  } | null
}

type Send = (method: string, path: string, body?: object) => Promise<Reply>

/** A request that the portal refused. The message is shown with the user or group. */
class Refused extends Error {
  readonly status: number
  constructor({ status, body }: Reply) {
    super(`${status} ${body?.detail ?? ''}`.trim())
    this.status = status
  }
}

/** Sends the users and groups of the emulated directory to the portal, in the request forms of Entra ID or Okta. */
export class Provisioning {
  readonly #records: DirectoryRecords
  readonly #clock: Clock
  #last: Promise<void> = Promise.resolve()

  constructor(records: DirectoryRecords, clock: Clock) {
    this.#records = records
    this.#clock = clock
  }

  /** Sends all changes since the last run. Concurrent runs wait for each other. Does nothing without a connection. */
  run(): Promise<void> {
    this.#last = this.#last.then(() => this.#sendAll()).catch(() => {})
    return this.#last
  }

  /** Tests a connection by a search for a random user name. Returns null, or the reason of the failure. */
  async test(connection: Connection): Promise<string | null> {
    const filter = encodeURIComponent(`userName eq "${randomUUID()}"`)
    try {
      await this.#sender(connection)('GET', `/Users?filter=${filter}`)
      return null
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  async #sendAll(): Promise<void> {
    const { connection } = this.#records
    if (connection === null) return
    const send = this.#sender(connection)
    for (const person of this.#records.people()) {
      await this.#sendOne('scim_person', person, () => sendPerson(send, connection, person))
    }
    const people = this.#records.people()
    for (const group of this.#records.groups()) {
      await this.#sendOne('scim_group', group, () => sendGroup(send, connection, group, people))
    }
  }

  async #sendOne(table: 'scim_person' | 'scim_group', row: Person | Group, change: () => Promise<Sent>): Promise<void> {
    try {
      const { remoteId, sent } = await change()
      if (row.deleted === 1) this.#records.remove(table, row.number)
      else this.#records.store(table, row.number, { remoteId, sent, problem: null })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      // After a deletion at the portal, the next run creates the user or group again.
      const isAbsent = error instanceof Refused && error.status === 404
      const state = isAbsent ? { remoteId: null, sent: null } : { remoteId: row.remote_id, sent: row.sent }
      this.#records.store(table, row.number, { ...state, problem })
    }
  }

  #sender({ url, token, style }: Connection): Send {
    return async (method, path, body) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const log = (status: number | null, reply: string) =>
        this.#records.log({ sent_at: this.#clock.now(), request: `${method} ${path}`, status, body: text, reply })
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/scim+json',
            'user-agent': style === 'okta' ? 'Okta SCIM Client 1.0.0' : 'Emulated directory',
            ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
          },
          ...(body !== undefined && { body: text }),
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        const content = await response.text()
        log(response.status, content)
        const reply = { status: response.status, body: parsed(content) }
        if (!response.ok) throw new Refused(reply)
        return reply
      } catch (error) {
        if (!(error instanceof Refused)) log(null, String(error))
        throw error
      }
    }
  }
}

function parsed(text: string): Reply['body'] {
  try {
    return JSON.parse(text) as Reply['body']
  } catch {
    return null
  }
}

interface Sent {
  readonly remoteId: string | null
  readonly sent: string | null
}

async function sendPerson(send: Send, { style }: Connection, person: Person): Promise<Sent> {
  const { remote_id: storedId, active } = person
  const path = `/Users/${storedId}`
  if (person.deleted === 1) {
    if (storedId !== null) await send('DELETE', path)
    return { remoteId: null, sent: null }
  }
  const sent = JSON.stringify([person.user_name, person.given_name, person.family_name, active])
  if (sent === person.sent) return { remoteId: storedId, sent }
  if (storedId === null) {
    const found = await send('GET', `/Users?filter=${encodeURIComponent(`userName eq "${person.user_name}"`)}`)
    const remoteId =
      found.body?.Resources?.[0]?.id ?? (await send('POST', '/Users', userBody(person, style))).body?.id ?? null
    return { remoteId, sent }
  }
  const operation =
    style === 'okta'
      ? { op: 'replace', value: { active: active === 1 } }
      : { op: 'Replace', path: 'active', value: active === 1 ? 'True' : 'False' }
  await send('PATCH', path, { schemas: [PATCH], Operations: [operation] })
  return { remoteId: storedId, sent }
}

const userBody = (person: Person, style: Connection['style']): object => ({
  schemas: [USER],
  externalId: `person-${person.number}`,
  userName: person.user_name,
  name: { givenName: person.given_name, familyName: person.family_name },
  displayName: `${person.given_name} ${person.family_name}`,
  emails: [{ primary: true, type: 'work', value: person.user_name }],
  active: style === 'entra' ? (person.active === 1 ? 'True' : 'False') : person.active === 1,
  ...(style === 'okta' && { groups: [] }),
})

async function sendGroup(send: Send, { style }: Connection, group: Group, people: readonly Person[]): Promise<Sent> {
  const { remote_id: storedId, name } = group
  if (group.deleted === 1) {
    if (storedId !== null) await send('DELETE', `/Groups/${storedId}`)
    return { remoteId: null, sent: null }
  }
  const members = (JSON.parse(group.members) as number[]).flatMap(
    (number) => people.find((person) => person.number === number && person.deleted === 0)?.remote_id ?? [],
  )
  const sent = JSON.stringify(members)
  if (sent === group.sent) return { remoteId: storedId, sent }
  let remoteId = storedId
  if (remoteId === null) {
    const filter = encodeURIComponent(`displayName eq "${name}"`)
    const found = await send('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
    const body = { schemas: [GROUP], externalId: `group-${group.number}`, displayName: name }
    remoteId = found.body?.Resources?.[0]?.id ?? (await send('POST', '/Groups', body)).body?.id ?? null
  }
  const before = JSON.parse(group.sent ?? '[]') as string[]
  const added = members.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !members.includes(id))
  const operations = [
    ...(added.length > 0
      ? [{ op: style === 'okta' ? 'add' : 'Add', path: 'members', value: added.map((value) => ({ value })) }]
      : []),
    ...(style === 'okta'
      ? removed.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))
      : removed.length > 0
        ? [{ op: 'Remove', path: 'members', value: removed.map((value) => ({ value })) }]
        : []),
  ]
  if (operations.length > 0) await send('PATCH', `/Groups/${remoteId}`, { schemas: [PATCH], Operations: operations })
  return { remoteId, sent }
}
