import styles from './DayHours.module.css'

const HOURS = [0, 6, 12, 18, 24]

interface DayHoursProps {
  suffix?: string
}

export const DayHours = ({ suffix = '' }: DayHoursProps) => (
  <div className={styles.hours}>
    {HOURS.map((hour) => (
      <span key={hour} style={{ insetInlineStart: `${(hour / 24) * 100}%` }}>
        {String(hour).padStart(2, '0')}
        {suffix}
      </span>
    ))}
  </div>
)
