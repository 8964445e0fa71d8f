import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { GuideOfClass as Guide, GuideResult } from '../contract/guide.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { CountFilter } from '@trainyard/platform/web/ui/CountFilter.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { WithoutTraining } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { DataTable } from '@trainyard/platform/web/ui/table/DataTable.tsx'
import styles from './Class.module.css'
import { columnsFor, type OpenCell } from './class-columns.tsx'
import { failuresIn, FILTERS, type Filter, matches, shownSteps } from './class-results.ts'
import { resultsQuery } from './results-query.ts'
import { TaskDetails } from './TaskDetails.tsx'
import { useCheckAgain } from './useCheckAgain.ts'

const StepsDialog = lazy(() => import('./StepsDialog.tsx'))

const rowId = ({ vmName }: GuideResult) => vmName

export default function GuideOfClass() {
  const { trainingQuery } = useSelection()
  if (trainingQuery === null) return <WithoutTraining />
  return <Class key={JSON.stringify(trainingQuery)} training={trainingQuery} />
}

function Class({ training }: { training: TrainingQuery }) {
  const { role } = useMe()
  const results = useQuery(resultsQuery(training))
  const again = useCheckAgain(training)
  const tried = results.data?.results.filter(({ isCurrent, tasks }) => isCurrent && tasks.length > 0) ?? []
  const choice = { organization: training.organization }
  return (
    <Screen
      actions={
        tried.length > 0 && (
          <Button variant="default" disabled={again.isRunning} onClick={() => again.check(tried)}>
            {again.isRunning && again.count > 1 ? `Checking ${again.place} of ${again.count}...` : 'Check all again'}
          </Button>
        )
      }
    >
      <Fetched query={results} loading={<Skeleton rows={6} height="2.25rem" />}>
        {({ guides, results: all }) =>
          guides.length === 0 ? (
            <EmptyState text="This training has no guide.">
              {role === 'user' ? (
                <p className="dim">An admin of your organisation can attach one.</p>
              ) : (
                <ScreenLink to="/admin/guides" search={choice}>
                  Attach a guide
                </ScreenLink>
              )}
            </EmptyState>
          ) : (
            guides.map((guide) => (
              <Results
                key={`${guide.guide} ${guide.number}`}
                training={training}
                guide={guide}
                all={all}
                again={again}
              />
            ))
          )
        }
      </Fetched>
    </Screen>
  )
}

interface ResultsProps {
  training: TrainingQuery
  guide: Guide
  all: readonly GuideResult[]
  again: ReturnType<typeof useCheckAgain>
}

function Results({ training, guide, all, again }: ResultsProps) {
  const [filter, setFilter] = useState<Filter | null>(null)
  const [opened, setOpened] = useState<OpenCell | null>(null)
  const [areStepsOpen, setStepsOpen] = useState(false)
  const { check, isRunning } = again
  const rows = useMemo(
    () => all.filter((each) => each.isCurrent && each.guide === guide.guide && each.number === guide.number),
    [all, guide],
  )
  const shown = useMemo(
    () => rows.filter((row) => filter === null || matches(row, guide, filter)),
    [rows, guide, filter],
  )
  const columns = useMemo(
    () => columnsFor(guide, { open: setOpened, again: (row) => check([row]), isBusy: isRunning }),
    [guide, check, isRunning],
  )
  const failures = failuresIn(rows, guide)
  const inPanel = opened && rows.find(({ vmName }) => vmName === opened.vmName)
  return (
    <section className="stack" aria-label={guide.title}>
      <div className="ends">
        <h2>{guide.title}</h2>
        <span className="row">
          <span className="dim">
            Version {guide.number}, {countOf(shownSteps(guide).length, 'step')}
            {shownSteps(guide).length < guide.steps.length &&
              ` (${guide.steps.length - shownSteps(guide).length} hidden)`}
            , {countOf(guide.maximum, 'point')}
          </span>
          <Button variant="default" onClick={() => setStepsOpen(true)}>
            Steps and notes
          </Button>
        </span>
      </div>
      <Suspense>
        {areStepsOpen && <StepsDialog training={training} guide={guide} close={() => setStepsOpen(false)} />}
      </Suspense>
      {failures.length > 0 && (
        <ul className={`panel ${styles.failures}`} aria-label="Tasks that learners fail">
          {failures.map(({ task, title, step, count }) => (
            <li key={task}>
              <strong>{countOf(count, 'learner')}</strong> {count === 1 ? 'fails' : 'fail'} <em>{title}</em> in step{' '}
              {step}.
            </li>
          ))}
        </ul>
      )}
      <div className="beside">
        <div className={styles.results}>
          <DataTable
            label={`Results of ${guide.title}`}
            rows={shown}
            rowId={rowId}
            columns={columns}
            empty={rows.length === 0 ? 'No learner has a machine with this guide.' : 'No learners match.'}
            csv={`${training.trainingName} ${guide.guide}`}
            search={rows.length > 10}
            isSelected={({ vmName }) => vmName === opened?.vmName}
            tools={
              <CountFilter<Filter | null>
                label="Show only"
                options={[
                  { value: null, label: 'Everyone', count: rows.length },
                  ...(Object.keys(FILTERS) as Filter[])
                    .map((value) => ({
                      value,
                      label: FILTERS[value],
                      count: rows.filter((row) => matches(row, guide, value)).length,
                      warns: value === 'stuck',
                    }))
                    .filter(({ value, count }) => count > 0 || value === filter),
                ]}
                chosen={filter}
                choose={(value) => setFilter(value === filter ? null : value)}
              />
            }
          />
        </div>
        {inPanel && opened && (
          <TaskDetails
            key={`${opened.vmName} ${opened.task}`}
            training={training}
            guide={guide}
            result={inPanel}
            task={opened.task}
            check={() => check([inPanel])}
            isBusy={isRunning}
            close={() => setOpened(null)}
          />
        )}
      </div>
    </section>
  )
}
