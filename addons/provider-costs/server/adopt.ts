import type { BodyOf } from '@trainyard/platform/contract/call.ts'
import type { cost } from '../contract/cost.ts'
import type { Actor } from '@trainyard/platform/server/core/actor.ts'
import { conflict, notFound } from '@trainyard/platform/server/core/errors.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { trainingIgnoringWindow } from '@trainyard/trainings/server/scope.ts'
import { selectIsKnown, insertAdoption } from './queries.ts'

type Adopted = BodyOf<typeof cost.release>

/**
 * Assigns a cost to an organisation.
 * @throws Problem notFound if neither a bill nor an orphan contains the cost; conflict if the cost belongs to a machine
 */
export async function adopt(tx: Tx, actor: Actor, body: BodyOf<typeof cost.adopt>): Promise<string> {
  const { provider, of, trainingName, organization } = body
  const value = body.value.toLowerCase()
  const organisation = await organisationInScope(tx, actor, organization)
  const training =
    trainingName === undefined ? null : await trainingIgnoringWindow(tx, actor, { trainingName, organization })
  const { rows } = await selectIsKnown(tx, of, value, provider)
  if (!rows[0]!.isKnown) throw notFound(of === 'tag' ? 'tag' : 'resource')
  if (rows[0]!.claimed) throw conflict('It already belongs to a machine of the portal.')
  await insertAdoption(tx, {
    provider,
    of,
    value,
    organisation: organisation.id,
    training: training?.id ?? null,
    email: actor.email,
  })
  return `The cost is now assigned to ${training === null ? organisation.name : `${training.name} of ${organisation.name}`}. It is not charged.`
}

export async function release(tx: Tx, { provider, of, value }: Adopted): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('cost_adoption')
    .where('provider', '=', provider)
    .where('of', '=', of)
    .where('value', '=', value.toLowerCase())
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('adoption')
}
