import { useQuery } from '@tanstack/react-query'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SavePersonalData } from './SavePersonalData.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'

/** The privacy notice of the user's organisation, and an export of the user's data. */
export default function YourData() {
  const { role } = useMe()
  const { data: notice } = useQuery(query(api.privacy.notice))
  const contact = notice?.contact ?? null
  return (
    <Screen>
      <Section title="Your data">
        {notice !== undefined && notice.responsible !== null && <p>Responsible for your data: {notice.responsible}</p>}
        {notice !== undefined && notice.purpose !== null && <p>Purpose: {notice.purpose}</p>}
        {notice !== undefined && notice.noticeUrl !== null && (
          <p>
            <a href={notice.noticeUrl} rel="noreferrer" target="_blank">
              Privacy notice
            </a>
          </p>
        )}
        <p>
          Save a file with the data that the portal stores about you. To have the data corrected or erased, contact{' '}
          {contact === null ? (
            role === 'user' || role === 'admin' ? (
              'an admin of your organisation'
            ) : (
              'a superadmin'
            )
          ) : contact.includes('@') ? (
            <a href={`mailto:${contact}`}>{contact}</a>
          ) : (
            contact
          )}
          .
        </p>
        <SavePersonalData email={null} />
      </Section>
    </Screen>
  )
}
