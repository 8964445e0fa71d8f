import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pLimit, { type LimitFunction } from 'p-limit'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import { isRestricted } from '@trainyard/users/server/restricted.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { sessionIsValid } from '@trainyard/users/server/valid-session.ts'
import type { Connection } from '@trainyard/platform/server/db/client.ts'
import { listen } from '@trainyard/platform/server/db/listen.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { CLASS_CHANNEL, MACHINE_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'

/** Minimum time in milliseconds between two notifications of a subscriber, because changes come in bursts. */
const BATCH_MS = 250

/**
 * Receives the changed machines, or null if any machine may have changed because the connection was lost. `ofAll` is
 * true if a property of the whole training changed.
 */
export type OnMachineChange = (machines: readonly MachineId[] | null, ofAll: boolean) => void

/**
 * Channels of PostgreSQL notifications. `class_changed` reports connected or idle learners, raised hands and
 * announcements; `notified` reports new notifications.
 */
type Channel = typeof MACHINE_CHANNEL | typeof CLASS_CHANNEL | 'notified'
const CHANNELS: readonly Channel[] = [MACHINE_CHANNEL, CLASS_CHANNEL, 'notified']

/** Subject of a change: a training. In the channel `notified`, an organisation or `superadmins`. */
type Subject = TrainingId | OrganisationId | 'superadmins'

export interface MachineChanges {
  subscribe(subject: Subject, onChange: OnMachineChange, channels?: readonly Channel[]): { unsubscribe(): void }
  close(): Promise<void>
}

interface Subscription {
  readonly channels: readonly Channel[]
  add(machine: MachineId | 'any' | 'all'): void
}

export function followMachineChanges(connection: Connection): MachineChanges {
  const subscriptions = new Map<Subject, Set<Subscription>>()
  const listening = listen(connection, {
    channels: CHANNELS,
    onNotification: (channel, payload) => {
      const [subject, machine] = payload.split(' ') as [Subject, MachineId | undefined]
      for (const { channels, add } of subscriptions.get(subject) ?? []) {
        if (channels.includes(channel as Channel)) add(machine ?? 'all')
      }
    },
    onConnect: () => {
      for (const ofSubject of subscriptions.values()) for (const { add } of ofSubject) add('any')
    },
  })
  return {
    subscribe(subject, onChange, channels = [MACHINE_CHANNEL]) {
      let changed = new Set<MachineId>()
      let any = false
      let ofAll = false
      let timer: NodeJS.Timeout | null = null
      const flush = () => {
        timer = null
        const batch = [any ? null : [...changed], any || ofAll] as const
        changed = new Set()
        any = false
        ofAll = false
        onChange(...batch)
      }
      const add: Subscription['add'] = (machine) => {
        if (machine === 'any') any = true
        else if (machine === 'all') ofAll = true
        else changed.add(machine)
        timer ??= setTimeout(flush, BATCH_MS)
      }
      const subscription: Subscription = { channels, add }
      const ofSubject = subscriptions.get(subject) ?? new Set()
      subscriptions.set(subject, ofSubject.add(subscription))
      return {
        unsubscribe() {
          ofSubject.delete(subscription)
          if (ofSubject.size === 0 && subscriptions.get(subject) === ofSubject) subscriptions.delete(subject)
          if (timer !== null) clearTimeout(timer)
        },
      }
    },
    close: () => listening.close(),
  }
}

const RECHECK_MS = 3_000
/**
 * Maximum number of concurrent loads of the streams of one organisation. Streams hold no place among the calls, and a
 * change of a class is loaded by all that show it.
 */
const LOADS = 2

const loads = new Map<string, LimitFunction>()

/** Runs a load in turn with those of the same organisation. */
function queueLoad<T>(organisation: string, load: () => Promise<T>): Promise<T> {
  const limit = loads.get(organisation) ?? pLimit(LOADS)
  loads.set(organisation, limit)
  return limit(load).finally(() => {
    if (limit.activeCount + limit.pendingCount === 0) loads.delete(organisation)
  })
}

export interface Watch<T> {
  readonly actor: Pick<Actor, 'id' | 'organisation'>
  subscribe(onChange: OnMachineChange): { unsubscribe(): void }
  readonly closed: AbortSignal
  send(seen: T): void
  /** Returns null if no change concerns this viewer. Throws to end the stream. */
  load(machineIds: readonly MachineId[] | null, ofAll: boolean): Promise<T | null>
  isStillAllowed(): Promise<boolean>
}

export async function watchChanges<T>(watch: Watch<T>): Promise<void> {
  const ended = new AbortController()
  const end = AbortSignal.any([watch.closed, ended.signal])
  const organisation = watch.actor.organisation?.id ?? watch.actor.id
  let loading: Promise<void> = Promise.resolve()
  /** The changes that the next load reads. */
  let next: { machines: readonly MachineId[] | null; ofAll: boolean } | null = null
  const load = () => {
    const { machines, ofAll } = next!
    next = null
    return end.aborted ? null : watch.load(machines, ofAll)
  }
  const show = (machines: readonly MachineId[] | null, ofAll: boolean) => {
    if (next !== null) {
      const all = next.machines === null || machines === null
      next = { machines: all ? null : [...new Set([...next.machines!, ...machines])], ofAll: next.ofAll || ofAll }
      return
    }
    next = { machines, ofAll }
    // Loads run one after the other, so that the last message contains the latest state.
    loading = loading
      .then(async () => {
        const items = await queueLoad(organisation, async () => load())
        if (items === null || end.aborted) return
        // The data contains passwords, so the viewer's permission is checked again after the data is read.
        if (await watch.isStillAllowed()) watch.send(items)
        else ended.abort()
      })
      .catch(() => ended.abort())
  }
  const subscribed = watch.subscribe(show)
  try {
    show(null, true)
    while (!end.aborted) {
      await pause(RECHECK_MS, undefined, { signal: end }).catch(() => {})
      if (!end.aborted && !(await watch.isStillAllowed().catch(() => false))) ended.abort()
    }
  } finally {
    subscribed.unsubscribe()
    await loading
  }
}

/** Milliseconds during which session checks are collected into one query. */
const CHECK_BATCH_MS = 20

interface CheckBatch {
  readonly hashes: Buffer[]
  readonly roles: Promise<ReadonlyMap<string, string>>
}

const collecting = new WeakMap<Db, CheckBatch>()

/**
 * Returns true while the session is valid and its user has the role. Checks of several streams share a query, because
 * separate queries of thousands of open streams would be most of the load.
 */
export async function mayWatch(db: Db, hash: Buffer, role: string, rule: SecondFactorRule): Promise<boolean> {
  const { hashes, roles } = collecting.get(db) ?? collectChecks(db, rule)
  hashes.push(hash)
  return (await roles).get(hash.toString('hex')) === role
}

function collectChecks(db: Db, rule: SecondFactorRule): CheckBatch {
  const hashes: Buffer[] = []
  const read = async () => {
    await pause(CHECK_BATCH_MS)
    collecting.delete(db)
    const rows = await db
      .selectFrom('session')
      .innerJoin('portal_user as holder', 'holder.id', 'session.user_id')
      .select(['session.token_hash', 'holder.role'])
      .where(sql<boolean>`session.token_hash = any(${hashes}::bytea[])`)
      .where(sessionIsValid())
      .where(sql<boolean>`not ${isRestricted('holder', rule)}`)
      .execute()
    return new Map(rows.map(({ token_hash, role }) => [token_hash.toString('hex'), role]))
  }
  const checks = { hashes, roles: read() }
  collecting.set(db, checks)
  return checks
}
