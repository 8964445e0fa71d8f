import { can } from '@trainyard/contract/words/machine.ts'
import type { Tx } from '../../../db/schema.ts'
import type { Actor } from '../../../core/actor.ts'
import { idsOf, named, type Place } from './named.ts'
import { want } from './wake.ts'

/**
 * Has all the machines named deleted at the provider, or none; answers the sentence to show. They stay listed as
 * terminated, and their runs with them: what they cost is owed.
 */
export async function removeMachines(tx: Tx, actor: Actor, places: readonly Place[]): Promise<string> {
  const machines = await named(tx, actor, places, can.remove)
  await want(tx, idsOf(machines), 'gone')
  const [only, ...more] = machines
  return more.length === 0
    ? `${only!.row.name} is being deleted. Its bill stays.`
    : `${machines.length} machines are being deleted. Their bills stay.`
}
