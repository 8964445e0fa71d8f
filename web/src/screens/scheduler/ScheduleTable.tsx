import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '#src/api.ts'
import { ConfirmDialog } from '#src/ui/ConfirmDialog.tsx'
import { DeleteButton } from '#src/ui/DeleteButton.tsx'
import { notify } from '#src/ui/notices.ts'
import { DataTable, type Column } from '#src/ui/table/DataTable.tsx'
import { formatDate } from '#src/ui/time.ts'
import { Result, resultText } from './Result.tsx'
import styles from './ScheduleTable.module.css'
import { ACTION_LABELS, inOrder, schedulesKey, type Schedule } from './schedules.ts'
import { Signal, toneOf } from './Signal.tsx'

interface ScheduleTableProps {
  of: { trainingName: string; organization?: string }
  schedules: readonly Schedule[]
  timeZone: string
}

/** What is planned, and below it what became of the past. */
export function ScheduleTable({ of, schedules, timeZone }: ScheduleTableProps) {
  const cache = useQueryClient()
  const [doomed, setDoomed] = useState<Schedule | null>(null)
  const removal = useMutation({
    mutationFn: ({ _id }: Schedule) => api.schedule.remove({ ...of, scheduleId: _id }),
    onSuccess: (reply) => {
      notify.status(reply.message)
      return cache.invalidateQueries({ queryKey: [schedulesKey] })
    },
    onError: (error) => notify.alert(error.message),
    onSettled: () => setDoomed(null),
  })
  const rows = useMemo(() => inOrder(schedules), [schedules])
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
            <Result result={row.result} />
          </>
        ),
      },
      {
        id: 'delete',
        header: 'Delete',
        width: '5rem',
        narrow: '3.5rem',
        cell: (row) => <DeleteButton name={nameOf(row)} onClick={() => setDoomed(row)} />,
      },
    ],
    [],
  )
  return (
    <>
      <DataTable
        label="Schedules"
        rows={rows}
        rowId={({ _id }) => _id}
        columns={columns}
        empty="Nothing is scheduled for this training."
        csv={schedules.length > 0 ? `Schedules ${of.trainingName}` : undefined}
        search={schedules.length > 10}
      />
      {schedules.length > 0 && <p className={styles.zone}>Dates and times of the zone {timeZone}.</p>}
      {doomed && (
        <ConfirmDialog
          title={`Delete ${nameOf(doomed)}`}
          confirm="Delete"
          busy={removal.isPending && 'Deleting...'}
          destroys
          onConfirm={() => removal.mutate(doomed)}
          close={() => setDoomed(null)}
        >
          <p>
            {doomed.status === 'Pending'
              ? `The machines of ${of.trainingName} will not be ${doomed.action === 'Start' ? 'started' : 'stopped'} then.`
              : 'It leaves the list with its result. What it did to the machines stays done.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

const momentOf = ({ date, time }: Schedule) => `${date} ${time}`
const nameOf = ({ action, date, time }: Schedule) => `${ACTION_LABELS[action]} on ${formatDate(date)} at ${time}`
const plain = ({ action, status }: Schedule, text: string) => (
  <span className={styles.cell} data-tone={toneOf(action, status)}>
    {text}
  </span>
)
