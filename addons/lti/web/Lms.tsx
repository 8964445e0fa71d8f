import IconPlus from '@tabler/icons-react/icons/IconPlus'
import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { DialogButton } from '@trainyard/platform/web/ui/DialogButton.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { PlatformSection } from './PlatformSection.tsx'
import type { RegistrationLink } from './Registration.tsx'

const AddLms = lazy(() => import('./AddLms.tsx'))

/** Poll interval in ms, which detects a registration, a first launch or a test. */
const REFRESH_MS = 10_000

export default function Lms() {
  const { organization } = useSelection()
  const { role } = useMe()
  const organisationQuery = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const platforms = useQuery({ ...query(api.lms.list, organisationQuery), refetchInterval: REFRESH_MS })
  const trainings = useQuery(query(api.training.names, organization === null ? null : { organization }))
  const [link, setLink] = useState<RegistrationLink | null>(null)
  return (
    <Screen
      actions={
        organization !== null && (
          <DialogButton
            icon={IconPlus}
            dialog={(close) => <AddLms organisationQuery={organisationQuery!} added={setLink} close={close} />}
          >
            Add LMS
          </DialogButton>
        )
      }
    >
      {organization === null ? (
        <SelectCustomer />
      ) : (
        <>
          <p className="dim">
            Learners open their machines from a course in Moodle, Canvas, Brightspace or another LMS with LTI 1.3,
            without a separate login. Instructors of the course lead the class of its training.
          </p>
          <Fetched query={platforms} loading={<Skeleton rows={2} height="12rem" />}>
            {(data) =>
              data.platforms.length === 0 ? (
                <p>No LMS is connected.</p>
              ) : (
                data.platforms.map((platform) => (
                  <PlatformSection
                    key={platform.id}
                    platform={platform}
                    link={link?.id === platform.id ? link : null}
                    renewed={setLink}
                    trainings={trainings.data?.trainingNames ?? []}
                  />
                ))
              )
            }
          </Fetched>
        </>
      )}
    </Screen>
  )
}
