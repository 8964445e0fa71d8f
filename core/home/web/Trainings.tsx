import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { EmptyState } from '@trainyard/platform/web/ui/EmptyState.tsx'
import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Icon } from '@trainyard/platform/web/ui/Icon.tsx'
import { ScreenLink } from '@trainyard/platform/web/ui/ScreenLink.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { controlledText } from '@trainyard/platform/web/ui/typed-fields.tsx'
import { type Board, Figures } from './Figures.tsx'
import styles from './Home.module.css'
import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { homeCards } from './slots.ts'
import { TrainingLine } from './TrainingLine.tsx'

const REFRESH_MS = 30_000

/** A list of so many trainings is read without a search. */
const FEW = 2

type Training = Board['trainings'][number]

const nextOf = ({ next }: Training) => (next === null ? '9999' : `${next.date} ${next.time}`)

const SORTS = {
  name: { label: 'Name', compare: (a: Training, b: Training) => a.training.localeCompare(b.training) },
  running: { label: 'Running machines', compare: (a: Training, b: Training) => b.running - a.running },
  cost: { label: 'Cost', compare: (a: Training, b: Training) => b.amountPaise - a.amountPaise },
  next: { label: 'Next class', compare: (a: Training, b: Training) => nextOf(a).localeCompare(nextOf(b)) },
}
const SORT_CHOICES = Object.entries(SORTS).map(([value, { label }]) => ({ value, label: `Sort: ${label}` }))

interface TrainingsProps {
  organization: string
  /** Links must name the organisation for a superadmin. */
  asSuperadmin?: boolean
}

export function Trainings({ organization, asSuperadmin = false }: TrainingsProps) {
  const board = useQuery({ ...query(api.home.trainings, { organization }), refetchInterval: REFRESH_MS })
  if (!board.data) return <Fetched query={board} loading={<Skeleton rows={5} height="3rem" />} />
  const { trainings, balancePaise, timeZone } = board.data
  const whose = asSuperadmin ? { organization } : {}
  return (
    <>
      <Fills of={homeCards} props={{ organization, whose, trainings }} />
      <Figures trainings={trainings} balancePaise={balancePaise} whose={whose} />
      <section aria-labelledby="trainings">
        <div className={`ends ${styles.head}`}>
          <h2 id="trainings">{asSuperadmin ? `Trainings of ${organization}` : 'Trainings'}</h2>
          <ScreenLink to="/createvm" search={whose}>
            Provision New Instance
          </ScreenLink>
        </div>
        {trainings.length === 0 ? (
          <EmptyState text="No trainings." />
        ) : (
          <Lines trainings={trainings} whose={whose} timeZone={timeZone} />
        )}
      </section>
    </>
  )
}

interface LinesProps extends Pick<Board, 'trainings' | 'timeZone'> {
  whose: { readonly organization?: string }
}

function Lines({ trainings, whose, timeZone }: LinesProps) {
  const [text, setText] = useState('')
  const [sort, setSort] = useState<keyof typeof SORTS>('name')
  const part = text.trim().toLowerCase()
  const found = trainings.filter(({ training }) => training.toLowerCase().includes(part)).toSorted(SORTS[sort].compare)
  return (
    <>
      {trainings.length > FEW && (
        <div className={`row ${styles.tools}`}>
          <TextInput
            className={styles.search}
            type="search"
            size="sm"
            aria-label="Find a training"
            placeholder="Search"
            leftSection={<Icon name="search" size={16} />}
            autoComplete="off"
            {...controlledText(text, setText)}
          />
          <NativeSelect size="sm" aria-label="Sort by" data={SORT_CHOICES} {...controlledText(sort, setSort)} />
          <output className="dim">{countOf(found.length, 'training')}</output>
        </div>
      )}
      <ul className={styles.lines} aria-labelledby="trainings">
        {found.map((training) => (
          <TrainingLine key={training.training} now={training} whose={whose} timeZone={timeZone} />
        ))}
      </ul>
    </>
  )
}
