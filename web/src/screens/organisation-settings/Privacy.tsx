import { useQuery } from '@tanstack/react-query'
import { RETENTION_DAYS_MAX } from '@trainyard/contract/words/limits.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { Section } from '#src/forms/Section.tsx'
import { TextSettings, type TextField } from '#src/forms/TextSettings.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'

const isDays = (typed: string) =>
  /^\d{1,4}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= RETENTION_DAYS_MAX

const days = (label: string, description: string): TextField => ({
  label,
  description,
  inputMode: 'numeric',
  read: (typed) => (typed.trim() === '' ? null : Number(typed)),
  problem: (typed) => (isDays(typed) ? null : `Enter a number of days from 1 to ${RETENTION_DAYS_MAX}.`),
})

const FIELDS = {
  responsible: {
    label: 'Responsible for the Data',
    description: 'Name of the person or body. Learners see it in invitations and in their account.',
  },
  contact: { label: 'Contact for Requests', description: 'An e-mail address or phone number.' },
  purpose: { label: 'Purpose', description: 'Why the data is processed, for example: training of employees.' },
  noticeUrl: {
    label: 'Privacy Notice',
    description: 'Address of your notice.',
    problem: (typed: string) =>
      /^https:\/\/\S+$/.test(typed.trim()) ? null : 'Enter an address that starts with https://.',
  },
  activityDays: days('Delete Activity After (Days)', 'Periods of use of machines, and file transfers.'),
  attendanceDays: days(
    'Delete Attendance After (Days)',
    'Connections to machines. Reports of earlier days become empty.',
  ),
  emailDays: days('Delete E-mail Records After (Days)', 'Records of sent invitations.'),
  signInDays: days('Delete Sign-in Records After (Days)', 'Sessions that were not used since, with their addresses.'),
  webhookDays: days('Delete Webhook Logs After (Days)', 'Delivered events. At most 30 days in any case.'),
} satisfies Record<string, TextField>

/** Privacy notice, and after how many days data is deleted. */
export function Privacy({ organization }: { organization: string }) {
  const settings = useQuery(query(api.privacy.settings, { organization }))
  return (
    <Section title="Privacy">
      <Fetched query={settings} loading={<Skeleton rows={4} height="2.25rem" />}>
        {(data) => (
          <TextSettings
            submit="Save Privacy"
            fields={FIELDS}
            saved={
              Object.fromEntries(
                Object.keys(FIELDS).map((name) => [name, String(data[name as keyof typeof data] ?? '')]),
              ) as Record<keyof typeof FIELDS, string>
            }
            send={(changes) => api.privacy.changeSettings({ organization, ...changes })}
            invalidates={['privacy']}
          />
        )}
      </Fetched>
    </Section>
  )
}
