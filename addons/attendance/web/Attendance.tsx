import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { AttendanceReport } from '../contract/attendance.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useSaveFile } from '@trainyard/platform/web/api/file.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { dayjs } from '@trainyard/platform/web/ui/dayjs.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { formatDate, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import styles from './Attendance.module.css'

/** Days before today with which the page starts. */
const DEFAULT_DAYS = 6

export default function Attendance() {
  const { trainingQuery } = useSelection()
  if (trainingQuery === null) return <WithoutTraining />
  return <AttendanceOf key={JSON.stringify(trainingQuery)} training={trainingQuery} />
}

function AttendanceOf({ training }: { training: TrainingQuery }) {
  const { timeZone } = useMe()
  const [until, setUntil] = useState(() => today(new Date(), timeZone))
  const [from, setFrom] = useState(() => dayjs.utc(until).subtract(DEFAULT_DAYS, 'day').format('YYYY-MM-DD'))
  const { saving, save } = useSaveFile()
  const isWhole = from !== '' && until !== ''
  const reportQuery = { ...training, from, until }
  const report = useQuery(query(api.attendance.list, isWhole ? reportQuery : null))
  return (
    <Screen
      actions={
        <>
          <Button
            variant="default"
            disabled={saving || report.data === undefined}
            onClick={() => void save(['attendance', 'csv'], reportQuery)}
          >
            Export CSV
          </Button>
          <Button
            disabled={saving || report.data === undefined}
            onClick={() => void save(['attendance', 'pdf'], reportQuery)}
          >
            Save PDF
          </Button>
        </>
      }
    >
      <div className="row">
        <TextInput type="date" label="From" {...controlledText(from, setFrom)} />
        <TextInput type="date" label="Until" {...controlledText(until, setUntil)} />
      </div>
      {isWhole && (
        <Fetched query={report} loading={<Skeleton rows={6} height="2.25rem" />}>
          {(data) => <Report report={data} />}
        </Fetched>
      )}
      <p className={styles.hint}>
        Connected: minutes with an open connection in the browser. Active: minutes with keyboard or mouse input,
        including pauses of up to five minutes. Connections by other programs, such as an SSH client, are not recorded.
      </p>
    </Screen>
  )
}

type Row = AttendanceReport['learners'][number]['days'][number] & { readonly email: string }

function Report({ report: { learners, timeZone } }: { report: AttendanceReport }) {
  const rows = useMemo(() => learners.flatMap(({ email, days }) => days.map((day) => ({ email, ...day }))), [learners])
  const columns = useMemo<readonly Column<Row>[]>(() => {
    const time = (instant: string | null) => (instant === null ? '' : timeOfDay(new Date(instant), timeZone))
    return [
      { id: 'learner', header: 'Learner', value: ({ email }) => email },
      { id: 'date', header: 'Date', value: ({ date }) => formatDate(date), sortBy: ({ date }) => date },
      { id: 'first', header: 'First seen', value: ({ firstSeen }) => time(firstSeen) },
      { id: 'last', header: 'Last seen', value: ({ lastSeen }) => time(lastSeen) },
      minutes('connected', 'Connected (min)'),
      minutes('active', 'Active (min)'),
      minutes('machine', 'Machine on (min)'),
    ]
  }, [timeZone])
  return (
    <DataTable
      label="Attendance"
      rows={rows}
      rowId={({ email, date }) => `${email} ${date}`}
      columns={columns}
      stacks
      empty="No learner was connected on these days."
      search={rows.length > 10}
    />
  )
}

const minutes = (id: 'connected' | 'active' | 'machine', header: string): Column<Row> => ({
  id,
  header,
  align: 'end',
  value: (row) => String(row[id]),
  sortBy: (row) => row[id],
})
