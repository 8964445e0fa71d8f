import { useMe } from '#src/me.ts'
import { formatInstant } from './time.ts'

/** An instant (RFC 3339) in the organisation's zone. */
export function Instant({ at }: { at: string }) {
  const { timeZone } = useMe()
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {formatInstant(at, timeZone)}
    </time>
  )
}
