import { Button, TextInput } from '@mantine/core'
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

/** Activities that were opened, each with the active minutes that give the full score in the gradebook. */
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
        id: 'minutes',
        header: 'Active minutes for the full score',
        value: ({ scoreMinutes }) => scoreMinutes ?? -1,
        cell: (row) =>
          row.hasColumn || row.scoreMinutes !== null ? (
            <Minutes activity={row} />
          ) : (
            'The activity is not graded in the LMS'
          ),
      },
      {
        id: 'sent',
        header: 'Scores',
        value: ({ scores }) => scores,
        cell: ({ scoreMinutes, scores, sentAt, problem }) => (
          <>
            {scoreMinutes === null && scores === 0 ? 'Not sent' : `${scores} sent`}
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

function Minutes({ activity: { id, title, scoreMinutes } }: { activity: Row }) {
  const saved = scoreMinutes === null ? '' : String(scoreMinutes)
  const [text, setText] = useState(saved)
  const { mutate, isPending } = useAction((minutes: number | null) => api.lms.setScore({ id, minutes }), {
    invalidates: ['lms'],
  })
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(text === '' ? null : Number(text))
      }}
    >
      <TextInput
        type="number"
        min={1}
        max={SCORE_MINUTES_MAX}
        w="7rem"
        aria-label={`Active minutes for the full score of ${title}`}
        placeholder="No score"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={isPending || text === saved}>
        Save<span className="visually-hidden"> the score of {title}</span>
      </Button>
    </form>
  )
}
