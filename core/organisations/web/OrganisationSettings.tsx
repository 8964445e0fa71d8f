import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSections } from '@trainyard/platform/web/shell/Fills.tsx'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import { organisationSections } from './slots.ts'

export default function OrganisationSettings() {
  const { organization } = useSelection()
  const { role } = useMe()
  const whose = organization !== null && role === 'superadmin' ? { organization } : {}
  const settings = useQuery(query(api.organisation.settings, organization === null ? null : whose))
  const sections = useSections(organisationSections, organization === null ? null : { whose })
  return (
    <Screen>
      {organization === null ? (
        <SelectCustomer />
      ) : (
        <Fetched query={settings} loading={<Skeleton rows={2} height="14rem" />}>
          {(data) => (
            <Fragment key={data.name}>{sections({ organization: data.name, settings: data, whose })}</Fragment>
          )}
        </Fetched>
      )}
    </Screen>
  )
}
