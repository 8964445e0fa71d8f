import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const rosters = webModule({
  name: 'rosters',
  screens: [
    {
      path: '/vm/roster',
      title: 'Roster',
      for: ADMINS,
      menu: {
        group: 'Instance Overview',
        order: 80,
        icon: 'M4 4h12v12.5H4zM7.5 2.5v3M12.5 2.5v3M6.5 9.5h1M9.5 9.5h4M6.5 13h1M9.5 13h4',
      },
      load: () => import('./web/Roster.tsx'),
    },
  ],
})
