import { CalendarLinks } from './CalendarLinks.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'

const LAB_ROLES: ReadonlySet<string> = new Set(['user', 'admin', 'superadmin'])

/** Superadmins create links of trainings on Schedule Task; here they list and revoke them. */
export default function Calendars() {
  const { role } = useMe()
  if (!LAB_ROLES.has(role)) return null
  return (
    <section className="panel stack" aria-labelledby="calendars">
      <h2 id="calendars">Calendar links</h2>
      <CalendarLinks training={null} />
    </section>
  )
}
