import { useMe } from '../session/me.ts'
import { formatInstant } from './time.ts'
import type { Column } from './table/columns.ts'

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

export const instantColumn = <Id extends string>(id: Id, header: string): Column<Readonly<Record<Id, string>>> => ({
  id,
  header,
  value: (row) => row[id],
  cell: (row) => <Instant at={row[id]} />,
})
