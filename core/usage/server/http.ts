import type { meter } from '../contract/meter.ts'
import { rupeesOfPaise } from '@trainyard/platform/contract/words/money.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import type { HandlersOf } from '@trainyard/platform/server/core/handler.ts'
import { organisationInScope } from '@trainyard/organisations/server/scope.ts'
import { trainingInScope } from '@trainyard/trainings/server/scope.ts'
import { sumOfLines, billLines, auditedRuns, type Transition } from './audit.ts'
import { clearLogs } from './clear-logs.ts'
import { dailyUse } from './daily.ts'
import { logsOf, logsOfTraining } from './logs.ts'
import { outlookOf } from './outlook.ts'
import { selectLinesOfDay, type BillLine } from './queries.ts'
import { readableMachine } from './readable.ts'
import { billOf, hoursOfSeconds, type TrainingBill } from './used.ts'

const DAYS = '30'

export const meterHandlers: Pick<HandlersOf<'meter'>, keyof typeof meter> = {
  async logs(db, { actor, query }) {
    return { logs: await logsOf(db, actor, query.vmName) }
  },

  async trainingLogs(db, { actor, query }) {
    const { id, onlyOf } = await trainingInScope(db, actor, query)
    return { logs: await logsOfTraining(db, id, onlyOf) }
  },

  async bill(db, { actor, query }) {
    const { id, onlyOf } = await trainingInScope(db, actor, query)
    if (query.lines === undefined) return billView(await billOf(db, id, onlyOf))
    const { asOf, lines } = await billLines(db, id, onlyOf)
    return { ...billView(sumOfLines(lines)), asOf: asOf.toISOString(), lines: lines.map(lineView) }
  },

  async daily(db, { actor, query }) {
    const { id, onlyOf } = await trainingInScope(db, actor, query)
    const { timeZone, days } = await dailyUse(db, id, onlyOf, Number(query.days ?? DAYS))
    return {
      timeZone,
      days: days.map(({ date, seconds, amount }) => ({
        date,
        hours: hoursOfSeconds(seconds),
        amountPaise: amount,
      })),
    }
  },

  async day(db, { actor, query }) {
    const { id, onlyOf } = await trainingInScope(db, actor, query)
    const { rows } = await selectLinesOfDay(db, id, query.date, onlyOf)
    return { lines: rows.map(lineView) }
  },

  async outlook(db, { actor, query: { organization, trainingName } }) {
    if (trainingName === undefined) {
      const { id, timeZone } = await organisationInScope(db, actor, organization)
      return outlookOf(db, { organisation: id, training: null, timeZone })
    }
    const { id, organisationId } = await trainingInScope(db, actor, { trainingName, organization })
    const { timeZone } = await db
      .selectFrom('organisation')
      .select('time_zone as timeZone')
      .where('id', '=', organisationId)
      .executeTakeFirstOrThrow()
    return outlookOf(db, { organisation: organisationId, training: id, timeZone })
  },

  async runs(db, { actor, query }) {
    const { asOf, amount, runs } = await auditedRuns(db, await readableMachine(db, actor, query.vmName))
    return {
      asOf: asOf.toISOString(),
      amountPaise: amount,
      runs: runs.map(({ start, stop, seconds, paisePerHour, paiseSeconds, opened, closed }) => ({
        start: start.toISOString(),
        stop: stop?.toISOString() ?? null,
        seconds,
        paisePerHour,
        paiseSeconds,
        opened: transitionView(opened),
        closed: closed === null ? null : transitionView(closed),
      })),
    }
  },

  async clearLogs(tx, { actor, body }) {
    const { id } = await trainingInScope(tx, actor, body)
    await clearLogs(tx, id)
    return { message: ALERTS.logsDeleted }
  },
}

const billView = ({ amount, seconds, online, offline }: TrainingBill) => ({
  Amount: rupeesOfPaise(amount),
  Duration: hoursOfSeconds(seconds),
  Status: { online, offline },
})

const lineView = ({
  machine,
  email,
  learnerName,
  paisePerHour,
  guacamole,
  runs,
  seconds,
  amount,
}: Omit<BillLine, 'alive' | 'online'>) => ({
  machine,
  email,
  learnerName,
  paisePerHour,
  guacamole,
  runs,
  seconds,
  amountPaise: amount,
})

const transitionView = ({ cause, reportedAt }: Transition) => ({ cause, reportedAt: reportedAt.toISOString() })
