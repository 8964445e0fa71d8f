import { NativeSelect } from '@mantine/core'
import { useMemo } from 'react'
import type { LmsCourse } from '../contract/lms.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import { instantColumn } from '@trainyard/platform/web/ui/Instant.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'

const NONE = 'Not connected'

/** Courses from which an activity was opened, each with its training. */
export function Courses({ courses, trainings }: { courses: readonly LmsCourse[]; trainings: readonly string[] }) {
  const { mutate, isPending } = useAction(
    ({ id, training }: { id: string; training: string }) =>
      api.lms.connectCourse({ id, trainingName: training === NONE ? null : training }),
    { invalidates: ['lms'] },
  )
  const columns = useMemo<readonly Column<LmsCourse>[]>(
    () => [
      { id: 'title', header: 'Course', value: ({ title }) => title },
      {
        id: 'training',
        header: 'Training',
        value: ({ training }) => training ?? NONE,
        cell: ({ id, title, training }) => (
          <NativeSelect
            aria-label={`Training of ${title}`}
            value={training ?? NONE}
            disabled={isPending}
            data={[NONE, ...new Set([...(training === null ? [] : [training]), ...trainings])]}
            onChange={(event) => mutate({ id, training: event.currentTarget.value })}
          />
        ),
      },
      {
        id: 'members',
        header: 'Members',
        value: ({ roster }) => roster?.members ?? -1,
        cell: ({ roster }) =>
          roster === null ? (
            'No list from the LMS yet'
          ) : (
            <>
              {roster.readAt === null ? 'Not read yet' : roster.members}
              {roster.problem !== null && <div role="alert">{roster.problem}</div>}
            </>
          ),
      },
      instantColumn('seenAt', 'Last opened'),
    ],
    [trainings, isPending, mutate],
  )
  return (
    <DataTable
      label="Courses"
      rows={courses}
      rowId={({ id }) => id}
      columns={columns}
      empty="No course yet. A course appears here when an activity in it is opened for the first time."
      stacks
    />
  )
}
