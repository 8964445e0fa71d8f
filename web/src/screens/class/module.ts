import { ADMINS, fill, webModule } from '#src/shell/module.ts'
import { plannedStops } from '#src/screens/home/slots.ts'
import { startQuestion } from '#src/machine/slots.ts'
import { remoteBars, remoteTools } from '#src/remote/slots.ts'
import { learnerTools, trainingStatus } from '#src/training/slots.ts'
import { shellBars } from '#src/shell/slots.ts'

export const classroom = webModule({
  name: 'classroom',
  screens: [
    {
      path: '/vm/class',
      title: 'Class',
      for: ADMINS,
      instructors: true,
      menu: {
        group: 'Instance Overview',
        order: 20,
        badge: { for: ['user', 'admin'], load: () => import('#src/shell/HandCount.tsx') },
        icon: 'M3 4h5.5v4.5H3zM11.5 4H17v4.5h-5.5zM3 11.5h5.5V16H3zM11.5 11.5H17V16h-5.5z',
      },
      load: () => import('./Class.tsx'),
      fetch: (api, of) => api.classroom.list(of),
      slots: [trainingStatus],
    },
  ],
  fills: [
    fill(learnerTools, 10, () => import('#src/training/HandButton.tsx'), { for: ['user'] }),
    fill(startQuestion, 10, () => import('#src/training/StartMachines.tsx'), { lazy: true }),
    fill(remoteTools, 10, () => import('#src/training/HandButton.tsx'), { for: ['user'] }),
    fill(remoteBars, 10, () => import('#src/training/ClassBar.tsx'), { for: ['user'] }),
    fill(plannedStops, 10, () => import('#src/training/PlannedStops.tsx'), { for: ['user'] }),
    fill(shellBars, 10, () => import('#src/training/ClassBar.tsx'), { for: ['user'], lazy: true }),
  ],
  commands: () => import('./palette.tsx'),
})
