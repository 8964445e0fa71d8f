import { DatePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import { formatDate } from '@trainyard/platform/web/ui/time.ts'
import styles from './Days.module.css'

interface DaysProps {
  /** YYYY-MM-DD, without duplicates. */
  dates: readonly string[]
  /** Today in the organisation's time zone, the first day that can be chosen. */
  from: string
  change: (dates: string[]) => void
}

/** Calendar with multiple selection. Arrow keys move; Enter or space toggles a day. */
export function Days({ dates, from, change }: DaysProps) {
  return (
    <fieldset className={styles.days}>
      <legend className={styles.label}>Dates</legend>
      <DatePicker
        type="multiple"
        value={[...dates]}
        onChange={(chosen) => change([...new Set(chosen)].sort())}
        minDate={from}
        defaultDate={dates[0] ?? from}
        firstDayOfWeek={1}
        weekendDays={[]}
        hideOutsideDates
        classNames={{ day: styles.day }}
        ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
        // The picker would mark today in the zone of the browser.
        getDayProps={(date) => ({
          'aria-pressed': dates.includes(date),
          'aria-current': date === from ? 'date' : undefined,
        })}
      />
      <p className={styles.chosen}>
        <output>
          {dates.length === 0 ? 'No date selected' : dates.length > 4 ? `${dates.length} dates` : formatDates(dates)}
        </output>
        {dates.length > 0 && (
          <button type="button" className={`text-button ${styles.clear}`} onClick={() => change([])}>
            Clear dates
          </button>
        )}
      </p>
    </fieldset>
  )
}

const formatDates = (dates: readonly string[]) => dates.map(formatDate).join(', ')
