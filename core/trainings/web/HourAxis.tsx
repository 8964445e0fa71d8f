import styles from './HourAxis.module.css'

const HOURS = [0, 6, 12, 18, 24]

interface HourAxisProps {
  suffix?: string
}

export const HourAxis = ({ suffix = '' }: HourAxisProps) => (
  <div className={styles.hours}>
    {HOURS.map((hour) => (
      <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
        {String(hour).padStart(2, '0')}
        {suffix}
      </span>
    ))}
  </div>
)
