import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { home } from '@trainyard/contract/calls/home.ts'
import type { Db } from '../../db/schema.ts'
import { balanceOf } from '../money/ledger/balance.ts'
import { minutesOfSeconds } from '../money/meter/used.ts'
import type { OrganisationInScope } from '../people/organisation/scope.ts'
import { selectTrainingsNow } from './queries.ts'

type Trainings = ReplyOf<typeof home.trainings>

export async function trainingsNow(db: Db, { id, timeZone }: OrganisationInScope): Promise<Trainings> {
  const [{ rows }, balance] = await Promise.all([selectTrainingsNow(db, id, timeZone), balanceOf(db, id)])
  return {
    timeZone,
    balancePaise: balance,
    trainings: rows.map((row) => ({
      training: row.training,
      running: row.running,
      stopped: row.stopped,
      planned: row.planned,
      failing: row.failing,
      runningOut: row.running_out,
      consumed: minutesOfSeconds(row.seconds),
      total: row.total,
      amountPaise: row.amount,
      next: row.next_date === null ? null : { date: row.next_date, time: row.next_time, action: row.next_action },
    })),
  }
}
