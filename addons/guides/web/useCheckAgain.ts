import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { sentenceOf } from '@trainyard/platform/web/api/error.ts'
import { useAction } from '@trainyard/platform/web/api/useAction.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { learnerOf } from '@trainyard/machines/web/machine-list.ts'
import { notify } from '@trainyard/platform/web/ui/notices.ts'
import type { GuideResult } from '../contract/guide.ts'

/** Machines that are checked at the same time. */
const AT_ONCE = 4
/** Failures whose reasons are shown. */
const SHOWN = 3

/** Checks the tasks of learners again, one call for each, so that a failing machine does not stop the others. */
export function useCheckAgain(training: TrainingQuery) {
  const [place, setPlace] = useState(0)
  const action = useAction((learners: readonly GuideResult[]) => checkEach(training, learners, setPlace), {
    invalidates: ['guide'],
  })
  return {
    isRunning: action.isPending,
    /** Number of the learner who is being checked. */
    place,
    count: action.variables?.length ?? 0,
    check: action.mutate,
  }
}

async function checkEach(
  training: TrainingQuery,
  learners: readonly GuideResult[],
  started: (place: number) => void,
): Promise<{ message?: string }> {
  const failed: string[] = []
  let last = ''
  let next = 0
  const work = async (): Promise<void> => {
    const learner = learners[next]
    if (learner === undefined) return
    started(++next)
    try {
      last = (await api.guide.check({ ...training, vmName: learner.vmName })).message
    } catch (error) {
      failed.push(`${learnerOf(learner)}: ${sentenceOf(error as Error, 'The machine could not be checked.')}`)
    }
    return work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (failed.length > 0) {
    const more = failed.length > SHOWN ? [`${failed.length - SHOWN} more.`] : []
    notify.alert(['Not checked.', ...failed.slice(0, SHOWN), ...more].join('\n'))
    if (learners.length === failed.length) return {}
  }
  return {
    message:
      learners.length === 1 ? last : `${learners.length - failed.length} of ${learners.length} learners checked.`,
  }
}
