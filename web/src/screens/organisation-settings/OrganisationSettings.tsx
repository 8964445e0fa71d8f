import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { useSections } from '#src/shell/Fills.tsx'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { SelectCustomer } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
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
