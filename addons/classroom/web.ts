import { ADMINS, fill, webModule } from '@trainyard/platform/web/shell/module.ts'
import { plannedStops } from '@trainyard/home/web/slots.ts'
import { startQuestion } from '@trainyard/machines/web/slots.ts'
import { remoteBars, remoteTools } from '@trainyard/remote-access/web/slots.ts'
import { learnerProgress, learnerTools, trainingStatus } from '@trainyard/trainings/web/slots.ts'
import { shellBars } from '@trainyard/platform/web/shell/slots.ts'

export const classroom = webModule({
  name: 'classroom',
  refetches: { people: ['classroom'], machine: ['classroom'] },
  screens: [
    {
      path: '/vm/class',
      title: 'Class',
      tasks: ['Run the class | watch help raised hand seats', 'Start the class | power on all'],
      for: ADMINS,
      instructors: true,
      tab: { of: '/vm/vmdetails', order: 10 },
      badge: { for: ['user', 'admin'], load: () => import('./web/HandCount.tsx') },
      load: () => import('./web/Class.tsx'),
      fetch: (api, of) => api.classroom.list(of),
      slots: [trainingStatus, learnerProgress],
    },
  ],
  fills: [
    fill(learnerTools, 10, () => import('./web/HandButton.tsx'), { for: ['user'] }),
    fill(startQuestion, 10, () => import('./web/StartMachines.tsx'), { lazy: true }),
    fill(remoteTools, 10, () => import('./web/HandButton.tsx'), { for: ['user'] }),
    fill(remoteBars, 10, () => import('./web/ClassBar.tsx'), { for: ['user'] }),
    fill(plannedStops, 10, () => import('./web/PlannedStops.tsx'), { for: ['user'] }),
    fill(shellBars, 10, () => import('./web/ClassBar.tsx'), { for: ['user'], lazy: true }),
  ],
  commands: () => import('./web/palette.tsx'),
})
