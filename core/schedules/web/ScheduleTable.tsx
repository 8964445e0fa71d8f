import { useMemo, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { deleteColumn } from '@trainyard/platform/web/ui/IconButtons.tsx'
import { DeleteDialog } from '@trainyard/platform/web/forms/DeleteDialog.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import { Result, resultText } from './Result.tsx'
import styles from './ScheduleTable.module.css'
import { ACTION_LABELS, inOrder, type Schedule, withoutRepeats } from './schedules.ts'
import { Signal, toneOf } from './Signal.tsx'
import { WeekStrip } from './WeekStrip.tsx'

interface ScheduleTableProps {
  training: TrainingQuery
  schedules: readonly Schedule[]
  timeZone: string
  /** Opens the form for the first schedule. */
  plan: () => void
}

export function ScheduleTable({ training, schedules, timeZone, plan }: ScheduleTableProps) {
  const [toDelete, setToDelete] = useState<Schedule | null>(null)
  const rows = useMemo(() => inOrder(withoutRepeats(schedules)), [schedules])
  const columns = useMemo<readonly Column<Schedule>[]>(
    () => [
      {
        id: 'date',
        header: 'Date',
        value: ({ date }) => formatDate(date),
        sortBy: momentOf,
        narrow: '25%',
        cell: (row) => plain(row, formatDate(row.date)),
      },
      { id: 'time', header: 'Time', value: ({ time }) => time, narrow: '12%', cell: (row) => plain(row, row.time) },
      {
        id: 'action',
        header: 'Action',
        narrow: '18%',
        value: ({ action }) => action,
        cell: (row) => <Signal {...row}>{row.action}</Signal>,
      },
      {
        id: 'status',
        header: 'Status',
        value: ({ status, result }) => [status, resultText(result)].filter(Boolean).join(': '),
        cell: (row) => (
          <>
            <span className={styles.status}>{plain(row, row.status)}</span>
            {row.late !== null && <span className={styles.late}>{lateText(row.late)}</span>}
            <Result result={row.result} />
          </>
        ),
      },
      deleteColumn(nameOf, setToDelete),
    ],
    [],
  )
  if (schedules.length === 0)
    return (
      <EmptyState text="Nothing is scheduled for this training.">
        <TextButton onClick={plan}>Schedule the first task</TextButton>
      </EmptyState>
    )
  return (
    <>
      <WeekStrip schedules={schedules} timeZone={timeZone} />
      <DataTable
        label="Schedules"
        rows={rows}
        rowId={({ _id }) => _id}
        columns={columns}
        empty="Nothing is scheduled for this training."
        csv={`Schedules ${training.trainingName}`}
        search={schedules.length > 10}
      />
      <p className={styles.zone}>Dates and times are in the zone {timeZone}.</p>
      {toDelete && (
        <DeleteDialog
          name={nameOf(toDelete)}
          remove={() => api.schedule.remove({ ...training, scheduleId: toDelete._id })}
          invalidates={['schedule']}
          close={() => setToDelete(null)}
        >
          <p>
            {toDelete.status === 'Pending'
              ? `The machines of ${training.trainingName} will not be ${toDelete.action === 'Start' ? 'started' : 'stopped'} then.`
              : 'It is removed from the list with its result. The machines do not change.'}
          </p>
        </DeleteDialog>
      )}
    </>
  )
}

const momentOf = ({ date, time }: Schedule) => `${date} ${time}`
const lateText = (late: number) => `${late} min late`
const nameOf = ({ action, date, time }: Schedule) => `${ACTION_LABELS[action]} on ${formatDate(date)} at ${time}`
const plain = ({ action, status }: Schedule, text: string) => (
  <span className={styles.cell} data-tone={toneOf(action, status)}>
    {text}
  </span>
)
