import { memo, useMemo } from 'react'
import type { Machine } from '../contract/machine.ts'
import type { MachineStatus } from '../contract/machine-words.ts'
import styles from './StatusFilter.module.css'
import { countStates } from './view.ts'

const FILTER_MIN = 13

interface StatusFilterProps {
  machines: readonly Machine[]
  chosen: MachineStatus | null
  choose: (state: MachineStatus | null) => void
}

export const StatusFilter = memo(function StatusFilter({ machines, chosen, choose }: StatusFilterProps) {
  const counts = useMemo(() => countStates(machines), [machines])
  if (machines.length < FILTER_MIN && chosen === null) return null
  const listed =
    chosen === null || counts.some(({ status }) => status === chosen)
      ? counts
      : [...counts, { status: chosen, count: 0 }]
  return (
    <fieldset className={`${styles.states} no-print`} aria-label="State">
      <Choice pressed={chosen === null} label="All" count={machines.length} choose={() => choose(null)} />
      {listed.map(({ status, count }) => (
        <Choice
          key={status}
          pressed={status === chosen}
          label={status}
          count={count}
          choose={() => choose(status === chosen ? null : status)}
        />
      ))}
    </fieldset>
  )
})

const Choice = (props: { pressed: boolean; label: string; count: number; choose: () => void }) => (
  <button
    type="button"
    className={styles.state}
    aria-pressed={props.pressed}
    data-warns={props.label === 'Failing' || undefined}
    onClick={props.choose}
  >
    {props.label} <span className={styles.count}>{props.count}</span>
  </button>
)
