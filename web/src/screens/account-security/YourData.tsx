import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { SavePersonalData } from '#src/forms/SavePersonalData.tsx'

/** The privacy notice of the user's organisation, and an export of the user's data. */
export function YourData() {
  const { data: notice } = useQuery(query(api.privacy.notice))
  return (
    <section className="panel stack" aria-labelledby="your-data">
      <h2 id="your-data">Your data</h2>
      {notice !== undefined && notice.responsible !== null && <p>Responsible: {notice.responsible}</p>}
      {notice !== undefined && notice.purpose !== null && <p>Purpose: {notice.purpose}</p>}
      {notice !== undefined && notice.noticeUrl !== null && (
        <p>
          <a href={notice.noticeUrl} rel="noreferrer" target="_blank">
            Privacy notice
          </a>
        </p>
      )}
      <p>
        Everything that the portal stores about you can be saved as a file. To have it corrected or erased, write to{' '}
        {notice?.contact ?? 'an admin of your organisation'}.
      </p>
      <SavePersonalData email={null} />
    </section>
  )
}
