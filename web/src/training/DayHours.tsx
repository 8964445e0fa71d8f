import styles from './DayHours.module.css'

const HOURS = [0, 6, 12, 18, 24]

interface DayHoursProps {
  /** The text after each hour: ':00'. */
  suffix?: string
}

/** The hours under the line of a day, from one midnight to the next. */
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
