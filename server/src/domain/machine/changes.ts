import type { MachineId, TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Connection } from '../../db/dial.ts'
import { listen } from '../../db/listen.ts'

/** Changes come in bursts: they are told at most this often. */
const BATCH_MS = 250

/** Tells which machines of a training changed; null: perhaps any, the connection to the database was lost meanwhile. */
export type Hear = (machines: readonly MachineId[] | null) => void

export interface MachineChanges {
  /** Calls `hear` with what changed, gathered, until it is let go. */
  follow(training: TrainingId, hear: Hear): { letGo(): void }
  close(): Promise<void>
}

/** One listening connection for a whole process, however many screens watch. */
export function followMachineChanges(connection: Connection): MachineChanges {
  const hearers = new Map<string, Set<(machine: MachineId | null) => void>>()
  const listening = listen(connection, {
    channels: ['machine_changed'],
    heard: (_channel, payload) => {
      const [training, machine] = payload.split(' ') as [TrainingId, MachineId]
      for (const hear of hearers.get(training) ?? []) hear(machine)
    },
    missed: () => {
      for (const hearing of hearers.values()) for (const hear of hearing) hear(null)
    },
  })
  return {
    follow(training, hear) {
      let changed = new Set<MachineId>()
      let all = false
      let timer: NodeJS.Timeout | null = null
      const tell = () => {
        timer = null
        const machines = all ? null : [...changed]
        changed = new Set()
        all = false
        hear(machines)
      }
      const gather = (machine: MachineId | null) => {
        if (machine === null) all = true
        else changed.add(machine)
        timer ??= setTimeout(tell, BATCH_MS)
      }
      const hearing = hearers.get(training) ?? new Set()
      hearers.set(training, hearing.add(gather))
      return {
        letGo() {
          hearing.delete(gather)
          if (hearing.size === 0 && hearers.get(training) === hearing) hearers.delete(training)
          if (timer !== null) clearTimeout(timer)
        },
      }
    },
    close: () => listening.close(),
  }
}
