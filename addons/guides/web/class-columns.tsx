import IconAlertTriangle from '@tabler/icons-react/icons/IconAlertTriangle'
import { learnerOf, learnerText } from '@trainyard/machines/web/machine-list.ts'
import type { Column } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import { TextButton } from '@trainyard/platform/web/ui/TextButton.tsx'
import type { GuideOfClass, GuideResult } from '../contract/guide.ts'
import styles from './Class.module.css'
import { placeOf, stateOf, stuckText, tasksOf } from './class-results.ts'
import { StateIcon } from './StateIcon.tsx'
import { Stuck } from './Stuck.tsx'
import { SHORT_WORDS } from './words.ts'

export interface OpenCell {
  readonly vmName: string
  readonly task: string
}

interface Actions {
  readonly open: (cell: OpenCell) => void
  readonly again: (result: GuideResult) => void
  readonly isBusy: boolean
}

/** Returns the columns of the table of learners and tasks. */
export function columnsFor(guide: GuideOfClass, { open, again, isBusy }: Actions): readonly Column<GuideResult>[] {
  const tasks = tasksOf(guide)
  return [
    {
      id: 'learner',
      header: 'Learner',
      value: learnerOf,
      searchText: ({ email }) => email,
      cell: (result) => (
        <span className={styles.learner} title={learnerText(result)}>
          <strong>{learnerOf(result)}</strong>
          {result.suspectAt !== null && (
            <span className={styles.suspect} title="A check that must fail was done. The learner may fake results.">
              <IconAlertTriangle size={14} aria-hidden />
              Suspect
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'place',
      header: 'Now',
      value: (result) => [placeOf(result, guide), ...(result.stuck ? [stuckText(result.stuck)] : [])].join(', '),
      cell: (result) => (
        <span className={styles.place}>
          {placeOf(result, guide)}
          {result.stuck && <Stuck>{stuckText(result.stuck)}</Stuck>}
        </span>
      ),
    },
    {
      id: 'done',
      header: `Done of ${tasks.length}`,
      align: 'end',
      value: ({ tasksDone }) => tasksDone,
    },
    { id: 'points', header: `Points of ${guide.maximum}`, align: 'end', value: ({ points }) => points },
    {
      id: 'hints',
      header: 'Hints',
      align: 'end',
      value: (result) => result.tasks.reduce((sum, { hints }) => sum + hints, 0),
    },
    ...tasks.map(({ task, title, step }): Column<GuideResult> => ({
      id: task,
      header: `${step}. ${title}`,
      value: (result) => (result.step === null ? null : SHORT_WORDS[stateOf(result, task)]),
      cell(result) {
        if (result.step === null) return '–'
        const state = stateOf(result, task)
        return (
          <button
            type="button"
            className={styles.cell}
            data-state={state}
            aria-label={`${SHORT_WORDS[state]}: ${title}, ${learnerOf(result)}`}
            onClick={() => open({ vmName: result.vmName, task })}
          >
            <StateIcon state={state} />
            {SHORT_WORDS[state]}
          </button>
        )
      },
    })),
    {
      id: 'again',
      header: 'Check',
      cell: (result) =>
        result.tasks.length > 0 && (
          <TextButton
            label={`Check all tasks of ${learnerOf(result)} again`}
            disabled={isBusy}
            onClick={() => again(result)}
          >
            Again
          </TextButton>
        ),
    },
  ]
}
