import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { useSelection } from '@trainyard/platform/web/navigation/useSelection.ts'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { useSections } from '@trainyard/platform/web/shell/Fills.tsx'
import type { Slot } from '@trainyard/platform/web/shell/module.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { query } from '@trainyard/platform/web/api/queries.ts'
import { SelectCustomer } from '@trainyard/platform/web/ui/SelectTraining.tsx'
import { Fetched } from '@trainyard/platform/web/ui/Fetched.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import { Skeleton } from '@trainyard/platform/web/ui/Skeleton.tsx'
import type { KnownOrganisation, ShownOrganisation } from './slots.ts'

/** A page of Organisation Settings whose sections come from modules. */
export function OrganisationPart({ of }: { of: Slot<ShownOrganisation, KnownOrganisation> }) {
  const { organization } = useSelection()
  const { role } = useMe()
  const whose = organization !== null && role === 'superadmin' ? { organization } : {}
  const settings = useQuery(query(api.organisation.settings, organization === null ? null : whose))
  const sections = useSections(of, organization === null ? null : { whose })
  return (
    <OfOrganisation>
      {() => (
        <Fetched query={settings} loading={<Skeleton rows={2} height="14rem" />}>
          {(data) => sections({ organization: data.name, settings: data, whose })}
        </Fetched>
      )}
    </OfOrganisation>
  )
}

/** A page of Organisation Settings, once an organisation is chosen. */
export function OfOrganisation({ children }: { children: (organization: string) => ReactNode }) {
  const { organization } = useSelection()
  return (
    <Screen>
      {organization === null ? (
        <SelectCustomer />
      ) : (
        // The entries for one organisation are discarded when another is selected.
        <Fragment key={organization}>{children(organization)}</Fragment>
      )}
    </Screen>
  )
}
