import styles from './Bar.module.css'

interface BarProps {
  /** What the bar measures, for a screen reader: 'Quota of acme-01'. */
  label: string
  value: number
  total: number
  /** The figures in words, beside the bar; without it the percentage with two decimals stands there. */
  text?: string
}

/** How much of a whole is used. Fuller than nine tenths it warns, used up it says so. */
export function Bar({ label, value, total, text }: BarProps) {
  const percent = total > 0 ? (value / total) * 100 : 0
  const shown = text ?? `${percent.toFixed(2)}%`
  return (
    <span className={styles.bar} data-level={percent >= 100 ? 'full' : percent >= 90 ? 'near' : undefined}>
      <meter className="visually-hidden" aria-label={label} value={Math.min(value, total)} max={total || 1}>
        {shown}
      </meter>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${Math.min(percent, 100)}%` }} />
      </span>
      <span className={styles.text}>{shown}</span>
    </span>
  )
}
