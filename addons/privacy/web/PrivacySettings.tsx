import { useQuery } from '@tanstack/react-query'
import { numberOrNullIn } from '@trainyard/platform/contract/words/money.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { Section } from '@trainyard/platform/web/forms/Section.tsx'
import { TextSettings, type TextField } from '@trainyard/platform/web/forms/TextSettings.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'

const loadShape = () => import('../contract/privacy.ts').then(({ privacy }) => privacy.changeSettings.body)

const days = (label: string, description: string): TextField => ({
  label,
  description,
  inputMode: 'numeric',
  read: numberOrNullIn,
})

const FIELDS = {
  responsible: {
    label: 'Responsible for the Data',
    description: 'Name of the person or body.',
  },
  contact: { label: 'Contact for Requests', description: 'An e-mail address or phone number.' },
  purpose: { label: 'Purpose', description: 'Why the data is processed, for example: training of employees.' },
  noticeUrl: {
    label: 'Address of the Privacy Notice',
    description: 'For example: https://example.com/privacy.',
  },
  activityDays: days('Delete Activity After (days)', 'File transfers.'),
  attendanceDays: days(
    'Delete Attendance After (days)',
    'Connections to machines. Attendance reports of earlier days become empty.',
  ),
  emailDays: days('Delete E-mail Records After (days)', 'Records of sent invitations.'),
  signInDays: days(
    'Delete Sign-in Records After (days)',
    'Sessions that were not used since, with their network addresses.',
  ),
  webhookDays: days(
    'Delete Webhook Logs After (days)',
    'Delivered events. They are deleted after 30 days in any case.',
  ),
} satisfies Record<string, TextField>

/** Privacy notice, and the number of days after which data is deleted. */
export function PrivacySettings({ organization }: { organization: string }) {
  const settings = useQuery(query(api.privacy.settings, { organization }))
  return (
    <Section
      title="Privacy"
      text="Users see the notice in invitations and under Account Security. Older data is deleted once a day; leave the days empty to keep the rules of the installation."
    >
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
            shape={loadShape}
            send={(changes) => api.privacy.changeSettings({ organization, ...changes })}
            invalidates={['privacy']}
          />
        )}
      </Fetched>
    </Section>
  )
}
