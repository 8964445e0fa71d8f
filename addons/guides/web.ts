import { ADMINS, fill, onlyIf, webModule } from '@trainyard/platform/web/shell/module.ts'
import { remoteAside } from '@trainyard/remote-access/web/slots.ts'
import { learnerProgress, readyNotes, trainingStatus } from '@trainyard/trainings/web/slots.ts'

export const guides = webModule({
  name: 'guides',
  screens: [
    {
      path: '/vm/guide',
      title: 'Guide',
      tasks: ['See how far learners are | tasks results stuck points'],
      for: ADMINS,
      instructors: true,
      tab: {
        of: '/vm/vmdetails',
        // Last, because it appears with its reply and would move tabs behind it under a click.
        order: 50,
        onlyIf: onlyIf(
          (api) => api.guide.attached,
          ({ attached }) => attached.length > 0,
        ),
      },
      load: () => import('./web/GuideOfClass.tsx'),
      fetch: (api, of) => api.guide.results(of),
    },
    {
      path: '/admin/guides',
      title: 'Guides',
      tasks: ['Upload a lab guide | publish attach guide zip git'],
      for: ADMINS,
      tab: { of: '/admin/organisation', order: 25 },
      load: () => import('./web/Library.tsx'),
    },
    {
      path: '/admin/guides/edit',
      title: 'Guide Editor',
      for: ADMINS,
      context: 'organisation',
      load: () => import('./web/Library.tsx').then(({ GuideEditor }) => ({ default: GuideEditor })),
    },
  ],
  fills: [
    fill(remoteAside, 10, () => import('./web/GuideAside.tsx'), { for: ['user', 'admin'] }),
    fill(learnerProgress, 10, () => import('./web/Progress.tsx')),
    fill(readyNotes, 10, () => import('./web/ReadyGuides.tsx')),
    fill(trainingStatus, 20, () => import('./web/ClassStatus.tsx')),
  ],
})
