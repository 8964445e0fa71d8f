import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Connection } from '../../db/dial.ts'
import { listen } from '../../db/listen.ts'

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
