import type { OwnClass } from '../contract/classroom.ts'
import type { TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { type OnMachineChange, type MachineChanges, watchChanges } from '@trainyard/machines/server/watch.ts'
import { ownClasses, ownMachines } from './own-classes.ts'
import { CLASS_CHANNEL } from '@trainyard/trainings/server/machine-changes.ts'

/** Poll interval, because changes of trainings and access windows send no notification. */
const REFRESH_MS = 20_000

interface OwnWatch {
  readonly actor: Actor
  readonly closed: AbortSignal
  send(classes: OwnClass[]): void
  isStillAllowed(): Promise<boolean>
}

export async function watchOwn(db: Db, changes: MachineChanges, watch: OwnWatch): Promise<void> {
  const { actor, closed, isStillAllowed } = watch
  const subscriptions = new Map<TrainingId, { unsubscribe(): void }>()
  let machineIds = new Set<string>()
  let sent = ''
  let isClosed = false

  async function updateSubscriptions(onChange: OnMachineChange): Promise<void> {
    const machines = await ownMachines(db, actor)
    if (isClosed) return
    machineIds = new Set(machines.map(({ id }) => id))
    const trainings = new Set(machines.map(({ training }) => training))
    for (const [training, subscription] of subscriptions) {
      if (trainings.has(training)) continue
      subscription.unsubscribe()
      subscriptions.delete(training)
    }
    for (const training of trainings) {
      if (!subscriptions.has(training))
        subscriptions.set(training, changes.subscribe(training, onChange, [CLASS_CHANNEL]))
    }
  }

  await watchChanges<OwnClass[]>({
    actor,
    closed,
    isStillAllowed,
    subscribe(onChange) {
      const refresh = () =>
        updateSubscriptions(onChange)
          .then(() => onChange(null, true))
          .catch(() => {})
      void refresh()
      const timer = setInterval(() => void refresh(), REFRESH_MS)
      return {
        unsubscribe() {
          isClosed = true
          clearInterval(timer)
          for (const subscription of subscriptions.values()) subscription.unsubscribe()
        },
      }
    },
    async load(among, ofAll) {
      if (!ofAll && among !== null && !among.some((machine) => machineIds.has(machine))) return null
      const classes = await ownClasses(db, actor)
      const text = JSON.stringify(classes)
      if (text === sent) return null
      sent = text
      return classes
    },
    send: watch.send,
  })
}
