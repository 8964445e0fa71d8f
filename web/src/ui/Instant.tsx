import { useMe } from '#src/session/me.ts'
import { formatInstant } from './time.ts'

/** An instant (RFC 3339) in the organisation's time zone. */
export function Instant({ at }: { at: string }) {
  const { timeZone } = useMe()
  const [time, day] = formatInstant(at, timeZone).split(', ')
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {/* In a narrow column only the break between time and day is allowed. */}
      {time}, <span style={{ whiteSpace: 'nowrap' }}>{day}</span>
    </time>
  )
}
