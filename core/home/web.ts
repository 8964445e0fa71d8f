import { ROLES } from '@trainyard/platform/contract/words/role.ts'
import { webModule } from '@trainyard/platform/web/shell/module.ts'
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
        icon: 'M3.5 9.5 10 4l6.5 5.5v7H12v-4H8v4H3.5Z',
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
        icon: 'M3 14.5a7 7 0 1 1 14 0M10 14.5l3.5-5',
      },
      load: () => import('./web/Dashboard.tsx'),
      slots: [dashboardSections],
    },
    {
      path: '/overview',
      title: 'System Admin Panel',
      for: ['superadmin'],
      menu: {
        group: 'Start',
        order: 30,
        icon: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 4v4M7 12v4',
      },
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
  commands: () => import('./web/overview/palette.ts'),
})
