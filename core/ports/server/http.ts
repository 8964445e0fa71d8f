import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { trainingInScope, lockTrainingToPlan } from '@trainyard/trainings/server/scope.ts'
import { closePort, openPort } from './open.ts'
import { selectRulesState } from './queries.ts'

export const portHandlers: HandlersOf<'port'> = {
  async list(db, { actor, query }) {
    const { id } = await trainingInScope(db, actor, query)
    const rules = await db
      .selectFrom('port')
      .select(['port', 'protocol', 'source'])
      .where('training_id', '=', id)
      .orderBy('port')
      .execute()
    const { rows } = await selectRulesState(db, id)
    return { ports: rules.map(({ port }) => port), rules, ...rows[0]! }
  },

  async open(tx, { actor, body }) {
    await openPort(tx, await lockTrainingToPlan(tx, actor, body), body.port, body.priority, body)
    return { message: `Port ${body.port} is being opened on every machine of ${body.trainingName}.` }
  },

  async close(tx, { actor, body }) {
    await closePort(tx, await lockTrainingToPlan(tx, actor, body), body.port)
    return { message: `Port ${body.port} is being closed on every machine of ${body.trainingName}.` }
  },
}
