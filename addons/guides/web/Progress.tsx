import { useQuery } from '@tanstack/react-query'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { stuckText, tasksOf } from './class-results.ts'
import styles from './Marks.module.css'
import { Stuck } from './Stuck.tsx'
import { resultsQuery } from './results-query.ts'

interface ProgressProps {
  training: TrainingQuery
  vmName: string
  isBrief: boolean
}

/** How far the learner of a machine is with the guide: tasks done, and whether the learner is stuck. */
export default function Progress({ training, vmName, isBrief }: ProgressProps) {
  const { data } = useQuery(resultsQuery(training))
  const result = data?.results.find((each) => each.isCurrent && each.vmName === vmName)
  const guide = result && data?.guides.find((each) => each.guide === result.guide && each.number === result.number)
  if (!result || !guide) return null
  const count = tasksOf(guide).length
  return (
    <span className={styles.progress}>
      {result.stuck && <Stuck>{isBrief ? 'Stuck' : stuckText(result.stuck)}</Stuck>}
      <span>
        {isBrief ? (
          <>
            {result.tasksDone}/{count}
            <span className="visually-hidden"> tasks done</span>
          </>
        ) : (
          `${result.tasksDone} of ${count} tasks, ${result.points} of ${guide.maximum} points`
        )}
      </span>
    </span>
  )
}
