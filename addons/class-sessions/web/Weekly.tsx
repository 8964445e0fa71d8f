import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '@trainyard/platform/contract/call.ts'
import type { recurrence } from '../contract/recurrence.ts'
import { formatWeekdays } from '@trainyard/platform/contract/words/weekdays.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { deleteColumn } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { LastDay } from './LastDay.tsx'
import { ACTION_LABELS } from '@trainyard/schedules/web/schedules.ts'

type Row = ReplyOf<typeof recurrence.list>['weekly'][number]

const nameOf = ({ action, weekdays, time }: Row) => `${ACTION_LABELS[action]} on ${formatWeekdays(weekdays)} at ${time}`
const nextDatesText = ({ next }: Row) => next.map(({ date }) => formatDate(date)).join(', ')

export default function Weekly({ training }: { training: TrainingQuery }) {
  const [toDelete, setToDelete] = useState<Row | null>(null)
  const { data } = useQuery(query(api.recurrence.list, training))
  const columns: readonly Column<Row>[] = [
    { id: 'action', header: 'Action', value: ({ action }) => ACTION_LABELS[action] },
    { id: 'days', header: 'Days', value: ({ weekdays }) => formatWeekdays(weekdays) },
    { id: 'time', header: 'Time', value: ({ time }) => time },
    { id: 'until', header: 'Until', value: ({ until }) => formatDate(until), sortBy: ({ until }) => until },
    { id: 'left', header: 'Runs left', value: ({ left }) => String(left), sortBy: ({ left }) => left },
    { id: 'next', header: 'Next ten', value: nextDatesText },
    deleteColumn(nameOf, setToDelete),
  ]
  return (
    <>
      {data && data.weekly.length > 0 && (
        <section className="stack" aria-labelledby="weekly">
          <h2 id="weekly">Weekly Schedules</h2>
          <DataTable
            label="Weekly Schedules"
            rows={data.weekly}
            rowId={({ _id }) => _id}
            columns={columns}
            stacks
            empty=""
          />
        </section>
      )}
      {data && <LastDay training={training} endsOn={data.endsOn} />}
      {toDelete && (
        <DeleteDialog
          name={nameOf(toDelete)}
          remove={() => api.recurrence.remove({ ...training, recurrenceId: toDelete._id })}
          invalidates={['recurrence', 'schedule']}
          close={() => setToDelete(null)}
        >
          <p>
            {toDelete.left === 1 ? 'Its next run is' : `Its next ${toDelete.left} runs are`} cancelled. Past runs stay
            listed.
          </p>
        </DeleteDialog>
      )}
    </>
  )
}
