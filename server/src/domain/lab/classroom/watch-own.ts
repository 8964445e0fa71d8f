import type { OwnClass } from '@trainyard/contract/calls/classroom.ts'
import type { TrainingId } from '@trainyard/contract/words/ids.ts'
import type { Actor } from '../../../core/actor.ts'
import type { Db } from '../../../db/schema.ts'
import { type Hear, type MachineChanges, watchChanges } from '../machine/watch.ts'
import { ownClasses, ownMachines } from './mine.ts'

/** How often it is asked which trainings a learner is in, and which of them are open: nobody tells of either. */
const ANEW_MS = 20_000

interface OwnWatch {
  readonly actor: Actor
  readonly closed: AbortSignal
  send(classes: OwnClass[]): void
  stillAllowed(): Promise<boolean>
}

/** Sends what the class tells a learner, and again once it has changed. What happens to others costs no query. */
export async function watchOwn(db: Db, changes: MachineChanges, watch: OwnWatch): Promise<void> {
  const { actor, closed, stillAllowed } = watch
  const followed = new Map<TrainingId, { letGo(): void }>()
  let own = new Set<string>()
  let told = ''
  let over = false

  async function follow(hear: Hear): Promise<void> {
    const machines = await ownMachines(db, actor)
    if (over) return
    own = new Set(machines.map(({ id }) => id))
    const trainings = new Set(machines.map(({ training }) => training))
    for (const [training, following] of followed) {
      if (trainings.has(training)) continue
      following.letGo()
      followed.delete(training)
    }
    for (const training of trainings) {
      if (!followed.has(training)) followed.set(training, changes.follow(training, hear, ['class_changed']))
    }
  }

  await watchChanges<OwnClass[]>({
    closed,
    stillAllowed,
    follow(hear) {
      const again = () =>
        follow(hear)
          .then(() => hear(null, true))
          .catch(() => {})
      void again()
      const timer = setInterval(() => void again(), ANEW_MS)
      return {
        letGo() {
          over = true
          clearInterval(timer)
          for (const following of followed.values()) following.letGo()
        },
      }
    },
    async load(among, ofAll) {
      if (!ofAll && among !== null && !among.some((machine) => own.has(machine))) return null
      const classes = await ownClasses(db, actor)
      const text = JSON.stringify(classes)
      if (text === told) return null
      told = text
      return classes
    },
    send: watch.send,
  })
}
