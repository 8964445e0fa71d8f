import { OfOrganisation } from '@trainyard/organisations/web/OrganisationPart.tsx'
import { Erasures } from './Erasures.tsx'
import { PrivacySettings } from './PrivacySettings.tsx'

export default function OrganisationPrivacy() {
  return (
    <OfOrganisation>
      {(organization) => (
        <>
          <PrivacySettings organization={organization} />
          <Erasures organization={organization} />
        </>
      )}
    </OfOrganisation>
  )
}
