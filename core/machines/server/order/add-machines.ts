import { randomUUID } from 'node:crypto'
import type { MachineId, OrderId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { BROWSER_ACCESS_SURCHARGE, paise } from '@trainyard/platform/contract/words/money.ts'
import { emit } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { notifyWorkers } from '@trainyard/platform/server/run/reconcile/notify.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import type { TemplateRow } from '@trainyard/templates/tables.gen.ts'
import { machinesChanged } from '@trainyard/trainings/server/machine-changes.ts'
import { haveCustomerPrices, ratesChanged } from '@trainyard/usage/server/prices.ts'
import { makePassword } from '../credentials.ts'
import { machinesOrdered } from '../events.ts'
import { openOperations } from '../operation/open.ts'
import { updatePresentPrices } from '../queries.ts'
import { machineName } from './names.ts'
import { insertMachines, nextNumbers } from './queries.ts'

interface NewMachines {
  readonly organisation: OrganisationId
  readonly training: { readonly id: TrainingId; readonly name: string }
  readonly order: OrderId
  readonly template: TemplateRow
  readonly guacamole: boolean
  readonly allottedMinutes: number | null
  /** Why the machines are created later; null: they are created now. */
  readonly plannedFor: string | null
  /** Default: running. */
  readonly desired?: 'running' | 'stopped'
  readonly spare?: boolean
  /** The learner for whom the seat was ordered. Default: the learner of the machine. */
  readonly orderedFor?: string
  /** A machine is added for each of them. */
  readonly emails: readonly string[]
}

/** Adds machines of an order, which the worker creates. The caller has locked the prices and may order. */
export async function addMachines(tx: Tx, seal: Seal, added: NewMachines): Promise<MachineId[]> {
  const { organisation, training, order, template, guacamole, plannedFor, emails, spare = false } = added
  const desired = plannedFor === null ? (added.desired ?? 'running') : 'stopped'
  if (emails.length === 0) return []
  const numbers = await takeNumbers(tx, emails.length)
  const machines = emails.map((email, i) => {
    const id = randomUUID() as MachineId
    const number = numbers[i]!
    return { id, number, name: machineName(training.name, number), email, password: seal.seal(makePassword(), id) }
  })
  // The values are passed as arrays instead of rows, so that one prepared statement serves any number of machines.
  await insertMachines(tx, {
    organisation,
    training: training.id,
    order,
    guacamole,
    price: paise(template.rate_paise + (guacamole ? BROWSER_ACCESS_SURCHARGE : 0)),
    allocatedHours: added.allottedMinutes,
    spare,
    desired,
    isPlanned: plannedFor !== null,
    plannedFor,
    machines,
    numbers,
    emails,
    orderedFor: added.orderedFor ?? null,
    template: template.id,
  })
  const ids = machines.map(({ id }) => id)
  await openOperations(tx, ids)
  await machinesChanged(tx, ids)
  if (await haveCustomerPrices(tx, [organisation])) await updatePresentPrices(tx, ids)
  await emit(tx, machinesOrdered, [
    { organisation, training: training.id, order, template: template.id, machines: ids },
  ])
  await emit(tx, ratesChanged, [{ organisation, training: training.id }])
  await notifyWorkers(tx, 'machine')
  return ids
}

async function takeNumbers(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await nextNumbers(tx, count)
  return rows.map(({ number }) => number)
}
