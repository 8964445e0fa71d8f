import { setTimeout as pause } from 'node:timers/promises'
import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import { sessionStands } from '../../../core/session-stands.ts'
import type { Connection } from '../../../db/dial.ts'
import { listen } from '../../../db/listen.ts'
import type { Db } from '../../../db/schema.ts'

/** Changes come in bursts: they are told at most this often. */
const BATCH_MS = 250

/**
 * Tells which machines of a training changed; null: perhaps any, the connection to the database was lost meanwhile.
 * `ofAll`: something changed that is about the training as a whole.
 */
export type Hear = (machines: readonly MachineId[] | null, ofAll: boolean) => void

/** Machines as the console shows them; or a class: who is connected, idle or in need, and what is announced. */
export type Channel = 'machine_changed' | 'class_changed'
const CHANNELS: readonly Channel[] = ['machine_changed', 'class_changed']

export interface MachineChanges {
  /** Calls `hear` with what changed, gathered, until it is let go; of machines alone where no channels are named. */
  follow(training: TrainingId, hear: Hear, channels?: readonly Channel[]): { letGo(): void }
  close(): Promise<void>
}

interface Hearing {
  readonly channels: readonly Channel[]
  gather(machine: MachineId | 'any' | 'all of them'): void
}

/** One listening connection for a whole process, however many screens watch. */
export function followMachineChanges(connection: Connection): MachineChanges {
  const hearings = new Map<string, Set<Hearing>>()
  const listening = listen(connection, {
    channels: CHANNELS,
    heard: (channel, payload) => {
      const [training, machine] = payload.split(' ') as [TrainingId, MachineId | undefined]
      for (const { channels, gather } of hearings.get(training) ?? []) {
        if (channels.includes(channel as Channel)) gather(machine ?? 'all of them')
      }
    },
    missed: () => {
      for (const ofTraining of hearings.values()) for (const { gather } of ofTraining) gather('any')
    },
  })
  return {
    follow(training, hear, channels = ['machine_changed']) {
      let changed = new Set<MachineId>()
      let any = false
      let ofAll = false
      let timer: NodeJS.Timeout | null = null
      const tell = () => {
        timer = null
        const told = [any ? null : [...changed], any || ofAll] as const
        changed = new Set()
        any = false
        ofAll = false
        hear(...told)
      }
      const gather: Hearing['gather'] = (machine) => {
        if (machine === 'any') any = true
        else if (machine === 'all of them') ofAll = true
        else changed.add(machine)
        timer ??= setTimeout(tell, BATCH_MS)
      }
      const hearing: Hearing = { channels, gather }
      const ofTraining = hearings.get(training) ?? new Set()
      hearings.set(training, ofTraining.add(hearing))
      return {
        letGo() {
          ofTraining.delete(hearing)
          if (ofTraining.size === 0 && hearings.get(training) === ofTraining) hearings.delete(training)
          if (timer !== null) clearTimeout(timer)
        },
      }
    },
    close: () => listening.close(),
  }
}

/** How often it is asked of a screen that stays open whether its viewer may still look: signed in, inside the window. */
const RECHECK_MS = 3_000

export interface Watch<T> {
  /** Tells what changes, until it is let go. */
  follow(hear: Hear): { letGo(): void }
  readonly closed: AbortSignal
  send(seen: T): void
  /** Returns what is to be shown of these, or of all; null: nothing of it concerns this viewer. To end, it throws. */
  load(among: readonly MachineId[] | null, ofAll: boolean): Promise<T | null>
  /** Returns true while the viewer may still look. */
  stillAllowed(): Promise<boolean>
}

/** Sends all there is to see at first, and then what changed, until it is closed or not allowed any more. */
export async function watchChanges<T>(watch: Watch<T>): Promise<void> {
  const ended = new AbortController()
  const over = AbortSignal.any([watch.closed, ended.signal])
  let loading: Promise<void> = Promise.resolve()
  const show = (among: readonly MachineId[] | null, ofAll: boolean) => {
    // One after the other, so that what a screen is told last is what is true last.
    loading = loading
      .then(async () => {
        if (over.aborted) return
        const seen = await watch.load(among, ofAll)
        if (seen === null || over.aborted) return
        // Passwords are among it: asked once more, after they were read, whether this viewer may have them.
        if (await watch.stillAllowed()) watch.send(seen)
        else ended.abort()
      })
      .catch(() => ended.abort())
  }
  const following = watch.follow(show)
  try {
    show(null, true)
    while (!over.aborted) {
      await pause(RECHECK_MS, undefined, { signal: over }).catch(() => {})
      if (!over.aborted && !(await watch.stillAllowed().catch(() => false))) ended.abort()
    }
  } finally {
    following.letGo()
    await loading
  }
}

/** Returns true when a session exists and belongs to someone who may still see this. */
export async function mayWatch(db: Db, hash: Buffer, role: string): Promise<boolean> {
  const found = await db
    .selectFrom('session')
    .innerJoin('portal_user', 'portal_user.id', 'session.user_id')
    .select('portal_user.role')
    .where('session.token_hash', '=', hash)
    .where(sessionStands())
    .executeTakeFirst()
  return found?.role === role
}
