import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { home } from '../contract/home.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import { balanceOf } from '@trainyard/ledger/server/balance.ts'
import { minutesOfSeconds } from '@trainyard/usage/server/used.ts'
import type { OrganisationInScope } from '@trainyard/organisations/server/scope.ts'
import { selectTrainingsNow } from './queries.ts'

type Trainings = ReplyOf<typeof home.trainings>

export async function trainingsNow(
  db: Db,
  { id, timeZone }: OrganisationInScope,
  only: string | null,
): Promise<Trainings> {
  const [{ rows }, balance] = await Promise.all([selectTrainingsNow(db, id, { timeZone, only }), balanceOf(db, id)])
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
