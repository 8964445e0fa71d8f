import { Button } from '@mantine/core'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'
import { ConfirmDialog } from '@trainyard/platform/web/ui/ConfirmDialog.tsx'
import { Fact } from '@trainyard/platform/web/ui/Fact.tsx'
import { Instant } from '@trainyard/platform/web/ui/Instant.tsx'
import { SidePanel } from '@trainyard/platform/web/ui/SidePanel.tsx'
import type { GuideOfClass, GuideResult } from '../contract/guide.ts'
import { ScriptOutput } from './ScriptOutput.tsx'
import styles from './Class.module.css'
import { isFinished, stateOf, stuckText, taskOf, tasksOf } from './class-results.ts'
import { StateIcon } from './StateIcon.tsx'
import { Stuck } from './Stuck.tsx'
import { points, TASK_WORDS } from './words.ts'

interface TaskDetailsProps {
  training: TrainingQuery
  guide: GuideOfClass
  result: GuideResult
  task: string
  check: () => void
  isBusy: boolean
  close: () => void
}

/** Shows one task of one learner: the last check, and the instructor's actions. */
export function TaskDetails({ training, guide, result, task: id, check, isBusy, close }: TaskDetailsProps) {
  const [asks, setAsks] = useState(false)
  const solving = useAction(() => api.guide.solve({ ...training, vmName: result.vmName, task: id }), {
    invalidates: ['guide'],
    onSettled: () => setAsks(false),
  })
  const task = tasksOf(guide).find((each) => each.task === id)!
  const done = taskOf(result, id)
  const state = stateOf(result, id)
  const { lastBroken } = result
  const who = learnerOf(result)
  return (
    <SidePanel title={who} close={close}>
      <div>
        <h3 className={styles.task}>{task.title}</h3>
        <p className="dim">
          Step {task.step}: {task.stepTitle}
        </p>
      </div>
      <p className={styles.cell} data-state={state}>
        <StateIcon state={state} />
        {TASK_WORDS[state]} · {done?.points ?? 0} of {points(task.maximum)}
      </p>
      {result.stuck?.task === id && <Stuck>{stuckText(result.stuck)}</Stuck>}
      {done?.failed && (
        <div className={styles.message} data-state={state}>
          <strong>{done.failed.title}</strong>
          <p>
            <bdi>{done.failed.message}</bdi>
          </p>
        </div>
      )}
      <dl className={styles.facts}>
        <Fact term="Failed checks">{done?.reds ?? 0}</Fact>
        <Fact term="Hints taken">{done?.hints ?? 0}</Fact>
        {done && (
          <Fact term="Last change">
            <Instant at={done.changedAt} />
          </Fact>
        )}
      </dl>
      {lastBroken !== null && (lastBroken.task === id || lastBroken.task === '') && (
        <div className={styles.broken}>
          <strong>
            {lastBroken.task === '' ? 'The setup of the guide' : `The script ${lastBroken.script}`} failed
            {lastBroken.exitStatus === null ? ' at the time limit' : ` with exit status ${lastBroken.exitStatus}`}
          </strong>
          <ScriptOutput text={lastBroken.errorOutput} />
        </div>
      )}
      <div className="row">
        {result.tasks.length > 0 && (
          <Button variant="default" disabled={isBusy} onClick={check}>
            {isBusy ? 'Checking...' : 'Check again'}
          </Button>
        )}
        {task.canSolve && !isFinished(state) && (
          <Button variant="default" onClick={() => setAsks(true)}>
            Solve for the learner
          </Button>
        )}
      </div>
      {asks && (
        <ConfirmDialog
          title="Solve for the learner"
          confirm="Solve"
          busy={solving.isPending && 'Solving...'}
          onConfirm={() => solving.mutate()}
          close={() => setAsks(false)}
        >
          <p>
            The portal solves <em>{task.title}</em> on the machine of {who}. The task then gives no points.
          </p>
        </ConfirmDialog>
      )}
    </SidePanel>
  )
}
