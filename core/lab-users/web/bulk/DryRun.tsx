import { countOf } from '@trainyard/platform/web/ui/count-of.ts'
import type { Plan } from './plan.ts'
import { RefusedTable } from './RefusedTable.tsx'
import styles from './Bulk.module.css'

const SHOWN_AT_ONCE = 20

interface DryRunProps {
  name: string
  plan: Plan
  unusedColumns: readonly string[]
}

export function DryRun({ name, plan, unusedColumns }: DryRunProps) {
  const { valid, invalid, existing } = plan
  return (
    <section className="stack" aria-label={`Preview of ${name}`}>
      <output className={styles.verdict}>
        <strong className="mono">{name}</strong>: {countOf(valid.length, 'user')} to create
        {invalid.length > 0 && `, ${countOf(invalid.length, 'row')} skipped`}
        {existing.length > 0 && `, ${existing.length} already exist`}.
        {unusedColumns.length > 0 && ` Columns not used: ${unusedColumns.join(', ')}.`}
      </output>
      {invalid.length > 0 && (
        <div className={styles.part}>
          <h3>Skipped ({invalid.length})</h3>
          <RefusedTable label="Skipped rows" rows={invalid} />
        </div>
      )}
      {existing.length > 0 && (
        <details className={styles.part} open={existing.length <= SHOWN_AT_ONCE}>
          <summary>Already exist ({existing.length})</summary>
          <p className="dim">
            These users are not changed. Users created by an earlier run of this file count as done; the report lists
            the others.
          </p>
          <RefusedTable label="Existing users" rows={existing} />
        </details>
      )}
    </section>
  )
}
