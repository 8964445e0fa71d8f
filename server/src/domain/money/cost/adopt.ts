import { sql } from 'kysely'
import type { BodyOf } from '@trainyard/contract/call.ts'
import type { cost } from '@trainyard/contract/calls/cost.ts'
import type { Actor } from '../../../core/actor.ts'
import { conflict, notFound } from '../../../core/errors.ts'
import type { Tx } from '../../../db/schema.ts'
import { organisationInScope } from '../../people/organisation/scope.ts'
import { trainingIgnoringWindow } from '../../lab/training/scope.ts'

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
  const { rows } = await sql<{ isKnown: boolean; claimed: boolean }>`
    select
      case ${of}::text when 'tag' then
        exists (select from orphan where lower(tag) = ${value} and ${provider}::text = 'azure')
          or exists (select from cost_resource where provider = ${provider} and tag_value = ${value})
      else exists (select from cost_resource where provider = ${provider} and key = ${value}) end as "isKnown",
      case ${of}::text when 'tag' then exists (select from machine where id::text = ${value})
      else exists (select from cost_resource r join machine m on m.id::text = r.tag_value
        where r.provider = ${provider} and r.key = ${value} and r.tag = 'machine') end as claimed`.execute(tx)
  if (!rows[0]!.isKnown) throw notFound(of === 'tag' ? 'tag' : 'resource')
  if (rows[0]!.claimed) throw conflict('It already belongs to a machine of the portal.')
  await sql`
    insert into cost_adoption (provider, of, value, organisation_id, training_id, adopted_by)
    values (${provider}, ${of}, ${value}, ${organisation.id}, ${training?.id ?? null}, ${actor.email})
    on conflict (provider, of, value) do update set organisation_id = excluded.organisation_id,
      training_id = excluded.training_id, adopted_by = excluded.adopted_by, adopted_at = portal_now()`.execute(tx)
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
