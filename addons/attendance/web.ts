import { ADMINS, webModule } from '@trainyard/platform/web/shell/module.ts'

export const attendance = webModule({
  name: 'attendance',
  screens: [
    {
      path: '/vm/attendance',
      title: 'Attendance',
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/vmdetails', order: 20 },
      load: () => import('./web/Attendance.tsx'),
    },
  ],
})
