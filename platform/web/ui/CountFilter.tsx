import styles from './CountFilter.module.css'

interface CountFilterProps<Value> {
  label: string
  options: readonly {
    readonly value: Value
    readonly label: string
    readonly count: number
    readonly warns?: boolean
  }[]
  chosen: Value
  choose: (value: Value) => void
}

/** Numbers of a list's entries in one segmented control, each of which filters the list. */
export const CountFilter = <Value extends string | null>({
  label,
  options,
  chosen,
  choose,
}: CountFilterProps<Value>) => (
  <fieldset className={`${styles.states} no-print`} aria-label={label}>
    {options.map(({ value, label: text, count, warns }) => (
      <button
        key={value}
        type="button"
        className={styles.state}
        aria-pressed={value === chosen}
        data-warns={warns || undefined}
        onClick={() => choose(value)}
      >
        {text} <span className={styles.count}>{count}</span>
      </button>
    ))}
  </fieldset>
)
