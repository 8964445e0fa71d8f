import { sql } from 'kysely'
import type { MachineId, OrganisationId, TrainingId } from '@trainyard/platform/contract/words/ids.ts'
import { writeAudit } from '@trainyard/platform/server/core/audit.ts'
import { conflict } from '@trainyard/platform/server/core/errors.ts'
import { ask } from '@trainyard/platform/server/core/events.ts'
import type { Tx } from '@trainyard/platform/server/db/schema.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { requireMayOrder, requireMayStart } from '@trainyard/machines/server/may-start.ts'
import { orderableTemplate } from '@trainyard/machines/server/order/order.ts'
import { addPortalMachine } from '@trainyard/machines/server/order/spares.ts'
import { budgetOf } from '@trainyard/usage/server/outlook.ts'
import { lockPrices } from '@trainyard/usage/server/prices.ts'
import { billOf } from '@trainyard/usage/server/used.ts'
import { PROOF, PROOF_LEARNER, PROOF_TRAINING } from '../../contract/proof-words.ts'
import type { ProofRow } from '../../tables.gen.ts'

const ADMIN = { role: 'admin' } as const

/**
 * Orders the machine of a proof, under the same rules as an admin's order.
 * @throws Problem why the organisation cannot order it now
 */
export async function orderMachine(tx: Tx, seal: Seal, proof: ProofRow): Promise<MachineId> {
  const { organisation_id: organisation } = proof
  await requireMayOrder(tx, ADMIN, organisation)
  await lockPrices(tx, organisation, 'use')
  const template = await orderableTemplate(tx, organisation, proof.template_name)
  const training = { id: await hiddenTraining(tx, organisation), name: PROOF_TRAINING }
  await requireMayStart(tx, ADMIN, [training.id])
  const budget = await ask(tx, budgetOf, training.id)
  if (budget !== null && (await billOf(tx, training.id, null)).amount >= budget) throw conflict(PROOF.budget)
  const machine = await addPortalMachine(
    tx,
    seal,
    {
      organisation,
      training,
      template,
      guacamole: false,
      desired: 'running',
      orderedBy: proof.asked_by ?? PROOF_LEARNER,
    },
    PROOF_LEARNER,
  )
  const request = { proof: proof.id, machine, template: template.name }
  await writeAudit(tx, { call: 'proof.order', requestId: proof.id, actor: null, request, organisation })
  return machine
}

/** Returns the training of the machines of proofs. It is stored as removed, so that no list contains it. */
async function hiddenTraining(tx: Tx, organisation: OrganisationId): Promise<TrainingId> {
  await tx
    .insertInto('training')
    .values({ organisation_id: organisation, name: PROOF_TRAINING, removed_at: sql<Date>`portal_now()` })
    .onConflict((on) => on.doNothing())
    .execute()
  const { id, removed_at } = await tx
    .selectFrom('training')
    .select(['id', 'removed_at'])
    .where('organisation_id', '=', organisation)
    .where(sql`comparison_key(name)`, '=', sql`comparison_key(${PROOF_TRAINING})`)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  // The bill would list the machines of proofs.
  if (removed_at === null) throw conflict(PROOF.nameTaken)
  return id
}
