import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { LmsActivity, LmsCourse } from '../contract/lms.ts'
import { SCORE_MINUTES_MAX } from '../contract/lms-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

interface Row extends LmsActivity {
  readonly course: string
}

/** Activities that were opened, each with what gives the score in the gradebook. */
export function Activities({ courses }: { courses: readonly LmsCourse[] }) {
  const rows = useMemo(
    () => courses.flatMap(({ title, activities }) => activities.map((each) => ({ ...each, course: title }))),
    [courses],
  )
  const columns = useMemo<readonly Column<Row>[]>(
    () => [
      { id: 'title', header: 'Activity', value: ({ title }) => title },
      { id: 'course', header: 'Course', value: ({ course }) => course },
      {
        id: 'score',
        header: 'Score',
        value: ({ scoreBy, scoreMinutes }) => (scoreBy === 'points' ? 0 : (scoreMinutes ?? -1)),
        cell: (row) =>
          row.hasColumn || row.scoreBy !== null ? <Score activity={row} /> : 'The activity is not graded in the LMS',
      },
      {
        id: 'sent',
        header: 'Scores',
        value: ({ scores }) => scores,
        cell: ({ scoreBy, scores, sentAt, problem }) => (
          <>
            {scoreBy === null && scores === 0 ? 'Not sent' : `${scores} sent`}
            {sentAt !== null && (
              <>
                , last <Instant at={sentAt} />
              </>
            )}
            {problem !== null && <div role="alert">{problem}</div>}
          </>
        ),
      },
    ],
    [],
  )
  if (rows.length === 0) return null
  return (
    <DataTable
      label="Activities"
      rows={rows}
      rowId={({ id }) => id}
      columns={columns}
      empty="No activity was opened yet."
      stacks
    />
  )
}

type Choice = 'none' | NonNullable<LmsActivity['scoreBy']>

const CHOICES: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: 'none', label: 'No score' },
  { value: 'minutes', label: 'Active minutes' },
  { value: 'points', label: 'Points of the lab guide' },
]

function Score({ activity: { id, title, scoreBy, scoreMinutes } }: { activity: Row }) {
  const saved: { readonly by: Choice; readonly minutes: string } = {
    by: scoreBy ?? 'none',
    minutes: scoreMinutes === null ? '' : String(scoreMinutes),
  }
  const [by, setBy] = useState(saved.by)
  const [minutes, setMinutes] = useState(saved.minutes)
  const { mutate, isPending } = useAction(
    (score: { readonly minutes: number | null; readonly points: boolean }) => api.lms.setScore({ id, ...score }),
    { invalidates: ['lms'] },
  )
  const isSaved = by === saved.by && (by !== 'minutes' || minutes === saved.minutes)
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ minutes: by === 'minutes' ? Number(minutes) : null, points: by === 'points' })
      }}
    >
      <NativeSelect
        aria-label={`Score of ${title}`}
        data={[...CHOICES]}
        value={by}
        onChange={(event) => setBy(event.currentTarget.value as Choice)}
      />
      {by === 'minutes' && (
        <TextInput
          type="number"
          required
          min={1}
          max={SCORE_MINUTES_MAX}
          w="7rem"
          aria-label={`Active minutes for the full score of ${title}`}
          placeholder="Minutes"
          value={minutes}
          onChange={(event) => setMinutes(event.currentTarget.value)}
        />
      )}
      <Button type="submit" size="xs" variant="default" disabled={isPending || isSaved}>
        Save<span className="visually-hidden"> the score of {title}</span>
      </Button>
    </form>
  )
}
