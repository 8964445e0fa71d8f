import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const rosters = webModule({
  name: 'rosters',
  screens: [
    {
      path: '/vm/roster',
      title: 'Roster',
      tasks: ['Upload a roster | learners list CSV add'],
      for: ADMINS,
      tab: { of: '/vm/restriction', order: 10 },
      load: () => import('./web/Roster.tsx'),
    },
  ],
})
