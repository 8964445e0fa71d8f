import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const attendance = webModule({
  name: 'attendance',
  screens: [
    {
      path: '/vm/attendance',
      title: 'Attendance',
      for: ADMINS,
      instructors: true,
      menu: {
        group: 'Instance Overview',
        order: 70,
        icon: 'M4 3.5h12v13H4zM7 8l1.5 1.5L11 7M7 13l1.5 1.5L11 12M13 8.5h1M13 13.5h1',
      },
      load: () => import('./web/Attendance.tsx'),
    },
  ],
})
