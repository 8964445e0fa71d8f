import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSelection } from '#src/navigation/useSelection.ts'
import { useMe } from '#src/session/me.ts'
import { api } from '#src/api/client.ts'
import { query } from '#src/api/queries.ts'
import { haveReplied } from '#src/ui/have-replied.ts'
import { SelectCustomer } from '#src/ui/SelectTraining.tsx'
import { Fetched } from '#src/ui/Fetched.tsx'
import { Section } from '#src/forms/Section.tsx'
import { ScreenLink } from '#src/ui/ScreenLink.tsx'
import { Screen } from '#src/ui/Screen.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { Billing } from './Billing.tsx'
import { Logo } from './Logo.tsx'
import { MachineAccess } from './MachineAccess.tsx'
import { Erasures } from './Erasures.tsx'
import { People } from './People.tsx'
import { Privacy } from './Privacy.tsx'
import { Profile } from './Profile.tsx'
import { Security } from './Security.tsx'
import { SignIn } from './SignIn.tsx'
import { TaxStatus } from './TaxStatus.tsx'

const Prices = lazy(() => import('./Prices.tsx'))
const Provisioning = lazy(() => import('./Provisioning.tsx'))

export default function OrganisationSettings() {
  const { organization } = useSelection()
  const { role } = useMe()
  const ofOrganisation = organization === null ? null : role === 'superadmin' ? { organization } : {}
  const settings = useQuery(query(api.organisation.settings, ofOrganisation))
  const customer = useQuery(query(api.invoice.customer, ofOrganisation))
  const provider = useQuery(query(api.identityProvider.show, ofOrganisation))
  return (
    <Screen>
      {organization === null ? (
        <SelectCustomer />
      ) : (
        <Fetched query={settings} loading={<Skeleton rows={2} height="14rem" />}>
          {(data) => (
            <>
              <Profile key={`profile of ${data.name}`} settings={data} />
              <Billing key={`billing of ${data.name}`} organization={data.name} customer={customer} />
              {haveReplied(customer) && (
                <>
                  <TaxStatus key={`tax status of ${data.name}`} organization={data.name} />
                  <Suspense>
                    <Prices key={`prices of ${data.name}`} organization={data.name} />
                  </Suspense>
                  <Logo settings={data} />
                  <MachineAccess key={`machines of ${data.name}`} settings={data} />
                  <Security key={`security of ${data.name}`} settings={data} />
                  <SignIn key={`sign-in of ${data.name}`} organization={data.name} signIn={provider} />
                  <Section
                    title="Connect Your LMS"
                    text="Learners open their machines from a course in Moodle, Canvas, Brightspace or another LMS with LTI 1.3."
                  >
                    <p>
                      <ScreenLink to="/admin/lms" search={{ organization: data.name }}>
                        Connect an LMS
                      </ScreenLink>
                    </p>
                  </Section>
                </>
              )}
              {haveReplied(customer, provider) && (
                <Suspense>
                  <Provisioning key={`provisioning of ${data.name}`} organization={data.name} />
                </Suspense>
              )}
              {haveReplied(customer, provider) && <People key={`people of ${data.name}`} organization={data.name} />}
              {haveReplied(customer, provider) && (
                <>
                  <Privacy key={`privacy of ${data.name}`} organization={data.name} />
                  <Erasures organization={data.name} />
                </>
              )}
            </>
          )}
        </Fetched>
      )}
    </Screen>
  )
}
