import { ALERTS } from '@trainyard/contract/words/problems.ts'
import { rupeesOfPaise } from '@trainyard/contract/words/money.ts'
import type { HandlersOf } from '../../core/handler.ts'
import { type BillLine, billOfLines, linesOf } from '../meter/audit.ts'
import { logsOf } from '../meter/logs.ts'
import { billOf, hoursOfSeconds, type TrainingBill } from '../meter/used.ts'
import { trainingInScope, trainingNames } from '../training/scope.ts'
import { removeTraining } from './remove-training.ts'

/** The calls about a training's machines as a whole; `templates` belongs to the module of that name. */
export function trainingCalls(templates: HandlersOf<'training'>['templates']): HandlersOf<'training'> {
  return {
    templates,

    async names(db, { actor, query }) {
      return { trainingNames: await trainingNames(db, actor, query.organization) }
    },

    async machineNames(db, { actor, query }) {
      const { id, onlyOf } = await trainingInScope(db, actor, query)
      let named = db.selectFrom('machine').select('name').where('training_id', '=', id)
      if (onlyOf !== null) named = named.where('email', '=', onlyOf)
      const rows = await named
        .orderBy((eb) => eb('terminated_at', 'is not', null))
        .orderBy('number')
        .execute()
      return { vmList: rows.map(({ name }) => name) }
    },

    async logs(db, { actor, query }) {
      return { logs: await logsOf(db, actor, query.vmName) }
    },

    async billing(db, { actor, query }) {
      const { id, onlyOf } = await trainingInScope(db, actor, query)
      if (query.lines === undefined) return billView(await billOf(db, id, onlyOf))
      const { asOf, lines } = await linesOf(db, id, onlyOf)
      return { ...billView(billOfLines(lines)), asOf: asOf.toISOString(), lines: lines.map(lineView) }
    },

    async remove(tx, { actor, query }) {
      await removeTraining(tx, actor, query)
      return { message: ALERTS.trainingDeleted }
    },
  }
}

const billView = ({ amount, seconds, online, offline }: TrainingBill) => ({
  Amount: rupeesOfPaise(amount),
  Duration: hoursOfSeconds(seconds),
  Status: { online, offline },
})

const lineView = ({ machine, email, paisePerHour, guacamole, runs, seconds, amount }: BillLine) => ({
  machine,
  email,
  rate: rupeesOfPaise(paisePerHour),
  guacamole,
  runs,
  seconds,
  amount: rupeesOfPaise(amount),
})
