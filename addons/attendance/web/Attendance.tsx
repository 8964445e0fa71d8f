import { DateField } from '@trainyard/platform/web/ui/DateField.tsx'
import { Address } from '@trainyard/platform/web/ui/Address.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { AttendanceReport } from '../contract/attendance.ts'
import { nameOf } from '../contract/attendance-words.ts'
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
import { formatDay, timeOfDay, today } from '@trainyard/platform/web/ui/time.ts'
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
            Download PDF
          </Button>
        </>
      }
    >
      <div className={`row ${styles.days}`}>
        <DateField label="From" {...controlledText(from, setFrom)} />
        <DateField label="Until" {...controlledText(until, setUntil)} />
      </div>
      {isWhole && (
        <Fetched query={report} loading={<Skeleton rows={6} height="2.25rem" />}>
          {(data) => <Report report={data} />}
        </Fetched>
      )}
      <p className={styles.hint}>
        Each day: minutes connected, with the first and the last time. Connected: minutes with an open connection in the
        browser. Active: minutes with keyboard or mouse input, including pauses of up to five minutes. Connections by
        other programs, such as an SSH client, are not recorded.
      </p>
    </Screen>
  )
}

type Learner = AttendanceReport['learners'][number]

function Report({ report: { learners, timeZone } }: { report: AttendanceReport }) {
  const dates = useMemo(() => datesOf(learners), [learners])
  const columns = useMemo<readonly Column<Learner>[]>(() => {
    const time = (instant: string) => timeOfDay(new Date(instant), timeZone)
    const total = (id: 'connected' | 'active' | 'machine', header: string): Column<Learner> => ({
      id,
      header,
      align: 'end',
      value: (learner) => learner[id],
      total: String(learners.reduce((sum, learner) => sum + learner[id], 0)),
    })
    return [
      {
        id: 'learner',
        header: 'Learner',
        value: nameOf,
        searchText: ({ email }) => email,
        cell: (learner) => (
          <>
            <Address>{nameOf(learner)}</Address>
            {learner.learnerName !== null && (
              <span className={styles.hint}>
                <Address>{learner.email}</Address>
              </span>
            )}
          </>
        ),
        total: 'All learners',
      },
      {
        id: 'days',
        header: 'Days',
        align: 'end',
        value: ({ days }) => days.filter(isPresent).length,
        ...(dates.length > 0 && { total: `of ${dates.length}` }),
      },
      total('connected', 'Connected (min)'),
      total('active', 'Active (min)'),
      total('machine', 'Machine on (min)'),
      ...dates.map((date): Column<Learner> => {
        const on = ({ days }: Learner) => days.find((day) => day.date === date && isPresent(day))
        return {
          id: date,
          header: formatDay(date),
          align: 'end',
          value: (learner) => on(learner)?.connected ?? null,
          cell(learner) {
            const day = on(learner)
            return day === undefined ? (
              'Absent'
            ) : (
              <>
                {day.connected}
                <span className={styles.hint}>
                  {time(day.firstSeen!)}–{time(day.lastSeen!)}
                </span>
              </>
            )
          },
          total: `${learners.filter(on).length} of ${learners.length}`,
        }
      }),
    ]
  }, [learners, dates, timeZone])
  return (
    <div className={`stack ${styles.matrix}`}>
      {dates.length === 0 && learners.length > 0 && <p>No learner was connected on these days.</p>}
      <DataTable
        label="Attendance"
        rows={learners}
        rowId={({ email }) => email}
        columns={columns}
        stacks
        empty="This training has no learners."
        search={learners.length > 10}
      />
    </div>
  )
}

const isPresent = ({ firstSeen }: Learner['days'][number]): boolean => firstSeen !== null

/** Returns the days on which a learner was present, in ascending order. */
const datesOf = (learners: readonly Learner[]): readonly string[] =>
  [...new Set(learners.flatMap(({ days }) => days.filter(isPresent).map(({ date }) => date)))].toSorted()
