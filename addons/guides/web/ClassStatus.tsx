import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { failuresIn, stuckText } from './class-results.ts'
import { resultsQuery } from './results-query.ts'
import { Stuck } from './Stuck.tsx'

interface ClassStatusProps {
  training: TrainingQuery
  foundStuck?: (reasons: ReadonlyMap<string, string>) => void
}

/** Shows in one line above the learners what the class does with its guides. */
export default function ClassStatus({ training, foundStuck }: ClassStatusProps) {
  const { data } = useQuery(resultsQuery(training))
  useLayoutEffect(() => {
    const stuck = (data?.results ?? []).flatMap((each) =>
      each.isCurrent && each.stuck ? [[each.vmName, stuckText(each.stuck)] as const] : [],
    )
    foundStuck?.(new Map(stuck))
  }, [data, foundStuck])
  if (!data || data.guides.length === 0) return null
  return data.guides.map((guide) => {
    const own = data.results.filter(
      (each) => each.isCurrent && each.guide === guide.guide && each.number === guide.number,
    )
    const stuck = own.filter((each) => each.stuck !== null).length
    const [worst] = failuresIn(own, guide)
    return (
      <p key={`${guide.guide} ${guide.number}`} className="row">
        <ScreenLink to="/vm/guide" search={choiceOf(training)}>
          {guide.title}
        </ScreenLink>
        {stuck > 0 && <Stuck>{`${countOf(stuck, 'learner')} stuck`}</Stuck>}
        {worst && (
          <span>
            {countOf(worst.count, 'learner')} {worst.count === 1 ? 'fails' : 'fail'} <em>{worst.title}</em> in step{' '}
            {worst.step}
          </span>
        )}
      </p>
    )
  })
}

const choiceOf = ({ organization, trainingName }: TrainingQuery) => ({ organization, training: trainingName })
