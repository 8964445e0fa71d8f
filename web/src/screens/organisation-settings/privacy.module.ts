import { securitySections } from '#src/screens/account-security/slots.ts'
import { fill, webModule } from '#src/shell/module.ts'
import { organisationSections, personTools } from './slots.ts'

export const privacy = webModule({
  name: 'privacy',
  fills: [
    fill(securitySections, 70, () => import('#src/screens/account-security/YourData.tsx')),
    fill(organisationSections, 120, () => import('./Privacy.tsx')),
    fill(organisationSections, 130, () => import('./Erasures.tsx')),
    fill(personTools, 10, () => import('./PersonalDataButton.tsx')),
  ],
})
