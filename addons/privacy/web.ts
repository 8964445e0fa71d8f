import { securitySections } from '@trainyard/users/web/account-security/slots.ts'
import { fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { organisationSections, personTools } from '@trainyard/organisations/web/slots.ts'

export const privacy = webModule({
  name: 'privacy',
  screens: [
    {
      path: '/privacy',
      title: 'Privacy Notice',
      for: 'anyone',
      load: () => import('./web/Privacy.tsx'),
      script: 'never',
    },
  ],
  fills: [
    fill(securitySections, 70, () => import('./web/YourData.tsx')),
    fill(organisationSections, 120, () => import('./web/PrivacySettings.tsx')),
    fill(organisationSections, 130, () => import('./web/Erasures.tsx')),
    fill(personTools, 10, () => import('./web/PersonalDataButton.tsx')),
  ],
})
