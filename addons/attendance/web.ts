import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const attendance = webModule({
  name: 'attendance',
  screens: [
    {
      path: '/vm/attendance',
      title: 'Attendance',
      tasks: ['See who attended | present export'],
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/vmdetails', order: 20 },
      load: () => import('./web/Attendance.tsx'),
    },
  ],
})
