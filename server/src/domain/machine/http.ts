import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { Db } from '../../db/schema.ts'
import type { HandlersOf } from '../../core/handler.ts'
import type { Seal } from '../../secrets/seal.ts'
import { trainingInScope } from '../training/scope.ts'
import { refuseOutsideWindow } from '../training/window.ts'
import type { MachineChanges } from './changes.ts'
import { power, restart } from './power.ts'
import { machinesOf } from './rows.ts'
import { viewOf } from './view.ts'
import { sessionStands, watchMachines } from './watch.ts'

export interface MachineParts {
  readonly seal: Seal
  readonly changes: MachineChanges
}

/** Every machine call but the order, which stands right of here. */
export function machineHandlers({ seal, changes }: MachineParts): Omit<HandlersOf<'machine'>, 'order'> {
  return {
    async list(db, { actor, query }) {
      const training = await trainingInScope(db, actor, query)
      return (await machinesOf(db, training)).map((machine) => viewOf(machine, seal))
    },

    async watch(db, { actor, query, sessionHash }, { send, closed }) {
      const training = await trainingInScope(db, actor, query)
      const load = async (among: Parameters<typeof machinesOf>[2]): Promise<Machine[]> => {
        await refuseOutsideWindow(db, actor, [training.id])
        return (await machinesOf(db, training, among)).map((machine) => viewOf(machine, seal))
      }
      await watchMachines(changes, {
        training,
        closed,
        send,
        load,
        async stillAllowed() {
          await refuseOutsideWindow(db, actor, [training.id])
          return maySee(db, sessionHash, actor.role)
        },
      })
    },

    async power(tx, { actor, body }) {
      const [{ operation }, ...places] = body
      return { message: await power(tx, actor, operation, places) }
    },

    async restart(tx, { actor, body }) {
      return { message: await restart(tx, actor, body) }
    },
  }
}

async function maySee(db: Db, sessionHash: Buffer | null, role: string): Promise<boolean> {
  return sessionHash !== null && sessionStands(db, sessionHash, role)
}
