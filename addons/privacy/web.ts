import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { personTools } from '@trainyard/organisations/web/slots.ts'

export const privacy = webModule({
  name: 'privacy',
  screens: [
    {
      path: '/account/privacy',
      title: 'Privacy',
      for: ROLES,
      tab: { of: '/account', order: 20 },
      load: () => import('./web/YourData.tsx'),
    },
    {
      path: '/admin/privacy',
      title: 'Privacy',
      tasks: ['Erase a person | GDPR data export delete'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 70 },
      load: () => import('./web/OrganisationPrivacy.tsx'),
    },
    {
      path: '/privacy',
      title: 'Privacy Notice',
      for: 'anyone',
      load: () => import('./web/Privacy.tsx'),
      script: 'never',
    },
  ],
  fills: [fill(personTools, 10, () => import('./web/PersonalDataButton.tsx'))],
})
