import { OrganisationPart } from './OrganisationPart.tsx'
import { organisationSections, signInSections } from './slots.ts'

export const Organisation = () => <OrganisationPart of={organisationSections} />

export const SignIn = () => <OrganisationPart of={signInSections} />
