import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { orderableTemplate } from '@trainyard/machines/server/order/order.ts'
import { lockOrganisation } from '@trainyard/organisations/server/scope.ts'
import { lockTrainingToPlan, trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { lockPool, poolOf } from './pool.ts'
import { type ListedPool, upsertPool } from './queries.ts'
import { tendPool } from './tend.ts'

export const readyPoolHandlers = ({ seal }: { readonly seal: Seal }): HandlersOf<'readyPool'> => ({
  async read(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    return { pool: await poolOf(db, id) }
  },

  async set(tx, { actor, body, auditChange }) {
    const { organization, trainingName, templateName, ...settings } = body
    const { organisationId: organisation } = await trainingInScope(tx, actor, { organization, trainingName })
    await lockOrganisation(tx, organisation, 'use')
    const { id, name } = await lockTrainingToPlan(tx, actor, { organization, trainingName })
    const template = await orderableTemplate(tx, organisation, templateName)
    await lockPool(tx, id)
    const before = await poolOf(tx, id)
    await upsertPool(tx, { training: id, organisation, template: template.id, ...settings, email: actor.email })
    await tendPool(tx, { training: id, organisation }, seal)
    auditChange(settingsOf(before), settingsOf(await poolOf(tx, id)))
    const machines = body.machines === 1 ? '1 machine' : `${body.machines} machines`
    return { message: `${name} keeps ${machines} of ${template.name} ready.` }
  },

  async remove(tx, { actor, query, auditChange }) {
    const { id, name, organisationId: organisation } = await trainingInScope(tx, actor, query)
    await lockOrganisation(tx, organisation, 'use')
    await lockPool(tx, id)
    const before = await poolOf(tx, id)
    // The call is idempotent: a retry after a lost reply has the same result.
    await tx.deleteFrom('ready_pool').where('training_id', '=', id).execute()
    await tendPool(tx, { training: id, organisation }, seal)
    auditChange(settingsOf(before), null)
    return { message: `${name} keeps no more machines ready. Those that wait are being deleted.` }
  },
})

const settingsOf = (pool: ListedPool | null) =>
  pool && {
    templateName: pool.templateName,
    machines: pool.machines,
    power: pool.power,
    guacamole: pool.guacamole,
  }
