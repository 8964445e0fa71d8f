import IconGauge from '@tabler/icons-react/icons/IconGauge'
import IconHome from '@tabler/icons-react/icons/IconHome'
import IconServerCog from '@tabler/icons-react/icons/IconServerCog'
import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { trainingHeader } from '@trainyard/platform/web/shell/slots.ts'
import { learnerTools } from '@trainyard/trainings/web/slots.ts'
import { overviewLists } from './web/overview/slots.ts'
import { templateAddress, templateImage } from '@trainyard/templates/web/slots.ts'
import { dashboardSections, homeCards, plannedStops, plannedTime } from './web/slots.ts'

export const home = webModule({
  name: 'home',
  screens: [
    {
      path: '/',
      title: 'Home',
      for: ROLES,
      menu: {
        group: 'Start',
        order: 10,
        icon: IconHome,
      },
      context: 'organisation',
      load: () => import('./web/Home.tsx'),
      slots: [homeCards, learnerTools, plannedStops, plannedTime],
    },
    {
      path: '/dashboard',
      title: 'Control Center',
      for: ['superadmin'],
      menu: {
        group: 'Start',
        order: 20,
        icon: IconGauge,
      },
      load: () => import('./web/Dashboard.tsx'),
      slots: [dashboardSections],
    },
    {
      path: '/overview',
      title: 'System Admin Panel',
      tasks: [
        'New customer | create organization client tenant',
        'Add a user | new invite superadmin person',
        'New VM card | template image size',
        'Assign VM cards | template customer',
      ],
      for: ['superadmin'],
      menu: {
        group: 'Start',
        order: 30,
        icon: IconServerCog,
      },
      tabs: { own: 'Lists' },
      load: () => import('./web/overview/Overview.tsx'),
      slots: [overviewLists, templateImage, templateAddress],
    },
    {
      path: '/welcome',
      title: 'Welcome',
      for: 'anyone',
      load: () => import('./web/welcome/Welcome.tsx'),
      sheet: 'core/users/web/sign-in/welcome.css',
      script: 'on use',
    },
  ],
  fills: [fill(trainingHeader, 10, () => import('./web/TrainingHeader.tsx'), { for: ADMINS, lazy: true })],
})
