import { countOf } from '#src/ui/count-of.ts'
import type { Plan } from './plan.ts'
import { RefusedTable } from './RefusedTable.tsx'
import styles from './Bulk.module.css'

/** The list is open at first up to so many rows. */
const SHOWN_AT_ONCE = 20

/** The plan for the file's rows, before anything is done. */
export function DryRun({ name, plan }: { name: string; plan: Plan }) {
  const { good, bad, there } = plan
  return (
    <section className="stack" aria-label={`What ${name} would do`}>
      <output className={styles.verdict}>
        <strong className="mono">{name}</strong>: {countOf(good.length, 'user')} to create
        {bad.length > 0 && `, ${countOf(bad.length, 'row')} left out`}
        {there.length > 0 && `, ${there.length} there already`}.
      </output>
      {bad.length > 0 && (
        <div className={styles.part}>
          <h3>Left out ({bad.length})</h3>
          <RefusedTable label="Rows left out" rows={bad} />
        </div>
      )}
      {there.length > 0 && (
        <details className={styles.part} open={there.length <= SHOWN_AT_ONCE}>
          <summary>There already ({there.length})</summary>
          <p className="dim">
            They stay as they are. Those that an earlier run of this list made count as done; the others are named in
            the report.
          </p>
          <RefusedTable label="Users there already" rows={there} />
        </details>
      )}
    </section>
  )
}
