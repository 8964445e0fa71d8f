import styles from './Bar.module.css'

interface BarProps {
  label: string
  value: number
  total: number
  /** Text next to the bar; by default the percentage with two decimals. */
  text?: string
}

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
