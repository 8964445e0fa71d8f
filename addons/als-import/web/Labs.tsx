import { useMemo, type ReactNode } from 'react'
import type { ImportedLab } from '../contract/lab-import.ts'
import { IMPORT_STATES, IMPORT_STATE_LABELS } from '../contract/lab-import-words.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import { DataTable, type Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'

export function Labs({
  labs,
  open,
  all,
}: {
  labs: readonly ImportedLab[]
  open: (lab: string) => void
  all: ReactNode
}) {
  const columns = useMemo(() => columnsFor(open), [open])
  return (
    <section className="stack" aria-labelledby="labs">
      <h2 id="labs">Labs</h2>
      <DataTable
        label="Labs"
        rows={labs}
        rowId={({ _id }) => _id}
        columns={columns}
        empty="No labs yet."
        unmatched="No lab matches."
        search
        tools={all}
        stacks
      />
    </section>
  )
}

const columnsFor = (open: (lab: string) => void): readonly Column<ImportedLab>[] => [
  {
    id: 'title',
    header: 'Lab',
    value: ({ title }) => title,
    searchText: ({ resourceId }) => resourceId,
    cell: ({ title, machines, learners, schedules }) => (
      <>
        {title}
        <div className="dim">
          {countOf(machines, 'machine')}, {countOf(learners, 'learner')}, {countOf(schedules, 'schedule')}
        </div>
      </>
    ),
  },
  {
    id: 'training',
    header: 'Training',
    value: ({ trainingName }) => trainingName,
    cell: ({ trainingName, template }) => (
      <>
        {trainingName}
        <div className="dim">{template ?? 'No template'}</div>
      </>
    ),
  },
  { id: 'state', header: 'State', value: stateOf, cell: (lab) => <Lamp signal={signalOf(lab)}>{stateOf(lab)}</Lamp> },
  { id: 'plan', header: 'Import Would', cell: ({ counts }) => countsText(counts) },
  {
    id: 'actions',
    header: 'Actions',
    width: '7rem',
    cell: ({ _id, title }) => (
      <TextButton label={`Dry run of ${title}`} onClick={() => open(_id)}>
        Dry run
      </TextButton>
    ),
  },
]

function stateOf({ movedAt, importedAt, isMissing }: ImportedLab): string {
  if (movedAt !== null) return 'Moved'
  if (isMissing) return 'Missing'
  return importedAt === null ? 'Not imported' : 'Imported'
}

const SIGNALS: Readonly<Record<string, Signal>> = { Moved: 'clear', Imported: 'moving', Missing: 'danger' }
const signalOf = (lab: ImportedLab): Signal => SIGNALS[stateOf(lab)] ?? 'still'

const countsText = (counts: ImportedLab['counts']): string =>
  IMPORT_STATES.flatMap((state) =>
    counts[state] === undefined || state === 'same' ? [] : [`${IMPORT_STATE_LABELS[state]}: ${counts[state]}`],
  ).join(', ') || 'No difference'
