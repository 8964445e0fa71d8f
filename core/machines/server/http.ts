import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { SecondFactorRule } from '@trainyard/platform/contract/words/sign-in.ts'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { machine as calls, Machine } from '../contract/machine.ts'
import type { MachineRef } from '../contract/machine-ref.ts'
import type { MachineId } from '@trainyard/platform/contract/words/ids.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { ask, hook } from '@trainyard/platform/server/core/events.ts'
import { notFound } from '@trainyard/platform/server/core/errors.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { JobQueue } from '@trainyard/platform/server/run/jobs/job.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { readableMachine } from '@trainyard/usage/server/readable.ts'
import { operationsOf } from './operation/progress.ts'
import { machinesToCommand, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { refuseOutsideWindow } from '@trainyard/trainings/server/window.ts'
import { handOverMachines, handOverMessage } from './hand-over.ts'
import { power, restart } from './power.ts'
import { removeTraining } from './remove-training.ts'
import { replaceMachine } from './replace.ts'
import { resetMachines } from './reset.ts'
import { machinesOf } from './rows.ts'
import { viewOf } from './view.ts'
import { undoPower } from './undo.ts'
import { type MachineChanges, mayWatch, watchChanges } from './watch.ts'
import { UNDO_HEADER } from '@trainyard/platform/contract/words/limits.ts'
import { can } from '../contract/machine-words.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { machineIds, lockMachinesByName } from './lock-by-name.ts'
import { setDesiredPower } from './desired-power.ts'

export type Openings = ReplyOf<typeof calls.operations>['openings']

/** How long a machine took to open in the browser, the newest first. */
export const openings = hook<MachineId, Openings>('machines.openings', [], (first, second) => [...first, ...second])

export interface MachineHandlerDependencies {
  readonly seal: Seal
  readonly changes: MachineChanges
  readonly secondFactor: SecondFactorRule
  readonly jobs: JobQueue
}

export function machineHandlers({
  seal,
  changes,
  secondFactor,
  jobs,
}: MachineHandlerDependencies): Omit<HandlersOf<'machine'>, 'order' | 'lastOrder'> {
  return {
    async list(db, { actor, query, sessionHash }) {
      const training = await trainingInScope(db, actor, query)
      // Replies to API keys contain no passwords, because a program that reads the states of machines must not receive
      // them.
      const passwordSeal = sessionHash === null ? null : seal
      return (await machinesOf(db, training)).map((machine) => viewOf(machine, passwordSeal))
    },

    async names(db, { actor, query }) {
      const { id, onlyOf } = await trainingInScope(db, actor, query)
      let selected = db
        .selectFrom('machine')
        .select(['name', 'email'])
        .where('training_id', '=', id)
        .where('spare', '=', false)
      if (onlyOf !== null) selected = selected.where('email', '=', onlyOf).where('withheld_at', 'is', null)
      const rows = await selected
        .orderBy((eb) => eb('terminated_at', 'is not', null))
        .orderBy('number')
        .execute()
      return { vmList: rows.map(({ name }) => name), learners: rows.map(({ email }) => email) }
    },

    async watch(db, { actor, query, sessionHash }, { send, closed }) {
      const training = await trainingInScope(db, actor, query)
      const visibleIds = new Set<string>()
      await watchChanges<Machine[]>({
        actor,
        subscribe: (onChange) => changes.subscribe(training.id, onChange),
        closed,
        send,
        async load(changed, ofAll) {
          await refuseOutsideWindow(db, actor, [training.id])
          const selectedIds = ofAll ? null : changed
          const machines = await machinesOf(db, training, selectedIds)
          // If a machine was handed over to another user, it is out of the viewer's scope. The error makes the screen
          // reload.
          const listedIds = new Set<string>(machines.map(({ id }) => id))
          if ((selectedIds ?? [...visibleIds]).some((id) => visibleIds.has(id) && !listedIds.has(id)))
            throw notFound('machine')
          for (const id of listedIds) visibleIds.add(id)
          return machines.length === 0 ? null : machines.map((machine) => viewOf(machine, seal))
        },
        async isStillAllowed() {
          await refuseOutsideWindow(db, actor, [training.id])
          return sessionHash !== null && mayWatch(db, sessionHash, actor.role, secondFactor)
        },
      })
    },

    async operations(db, { actor, query }) {
      const machine = await readableMachine(db, actor, query.vmName, machinesToCommand)
      return { operations: await operationsOf(db, machine), openings: await ask(db, openings, machine) }
    },

    async power(tx, { actor, body, header }) {
      const [{ operation }, ...machineRefs] = body
      return { message: await power(tx, actor, { operation, undo: header(UNDO_HEADER) !== undefined }, machineRefs) }
    },

    async undo(tx, { actor, body }) {
      return { message: await undoPower(tx, actor, body) }
    },

    async restart(tx, { actor, body }) {
      return { message: await restart(tx, actor, body) }
    },

    async remove(tx, { actor, body }) {
      return { message: await removeMachines(tx, actor, body) }
    },

    async reset(tx, { actor, body }) {
      return { message: await resetMachines(tx, actor, body, seal) }
    },

    async replace(tx, { actor, body, auditChange }) {
      const { from, to, message } = await replaceMachine(tx, actor, body, seal)
      auditChange({ machine: from }, { machine: to })
      return { message }
    },

    async handOver(tx, { actor, body, auditChange }) {
      const [handed] = await handOverMachines(tx, actor, [body], { seal, jobs })
      auditChange({ email: handed!.from }, { email: handed!.to })
      return { message: handed!.message }
    },

    async handOverAll(tx, { actor, body: { machines, reset }, auditChange }) {
      const handed = await handOverMachines(tx, actor, machines, { seal, jobs })
      if (reset) await resetMachines(tx, actor, machines, seal)
      auditChange(
        Object.fromEntries(handed.map(({ name, from }) => [name, from])),
        Object.fromEntries(handed.map(({ name, to }) => [name, to])),
      )
      return { message: handOverMessage(handed, reset) }
    },

    async removeTraining(tx, { actor, query }) {
      await removeTraining(tx, actor, query)
      return { message: ALERTS.trainingDeleted }
    },
  }
}

/** Deletes machines. Terminated machines are still listed, because their cost is still owed. */
async function removeMachines(tx: Tx, actor: Actor, refs: readonly MachineRef[]): Promise<string> {
  const machines = await lockMachinesByName(tx, actor, refs, can.remove)
  await setDesiredPower(tx, machineIds(machines), 'gone')
  const [only, ...extra] = machines
  return extra.length === 0
    ? `${only!.row.name} is being deleted. Its bill stays.`
    : `${machines.length} machines are being deleted. Their bills stay.`
}
