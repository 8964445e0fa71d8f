import { lazy } from 'react'
import { EXTENSION_MINUTES } from '../contract/classroom-words.ts'
import { api } from '@trainyard/platform/web/api/client.ts'
import { mayOpen } from '@trainyard/platform/web/navigation/menu.ts'
import { ADMINS, type CommandsOf } from '@trainyard/platform/web/shell/module.ts'
import { report } from '@trainyard/platform/web/ui/report.ts'

const Announce = lazy(() => import('./Announce.tsx'))
const StopAll = lazy(() => import('./StopAll.tsx'))

/** For the selected training, and for the machines that match the typed text. */
const commandsOf: CommandsOf = ({ me, trainingQuery: training, machines, openDialog }) => {
  const leads = (name: string) => mayOpen(me, { for: ADMINS, instructors: true }, name) === true
  return [
    ...(training !== null && leads(training.trainingName)
      ? [
          {
            id: 'announce',
            order: 40,
            label: `Announce to ${training.trainingName}`,
            go: () => openDialog((close) => <Announce training={training} close={close} />),
          },
          {
            id: 'extend',
            order: 41,
            label: `Extend ${training.trainingName} by ${EXTENSION_MINUTES} minutes`,
            go: () => void report(() => api.classroom.extend(training), 'classroom', 'training'),
          },
          {
            id: 'stop all',
            order: 42,
            label: `Stop all machines of ${training.trainingName}`,
            go: () => openDialog((close) => <StopAll training={training} running={null} close={close} />),
          },
        ]
      : []),
    ...machines.flatMap(({ organization, training: trainingName, machine, email }, index) =>
      leads(trainingName)
        ? [
            {
              id: `resend ${machine}`,
              order: 50 + index,
              label: `Resend the invitation to ${email}`,
              hint: trainingName,
              go: () => {
                const whose = me.role === 'superadmin' ? { organization } : {}
                void report(
                  () => api.classroom.invite({ trainingName, ...whose, email }),
                  'classroom',
                  'home',
                  'training',
                )
              },
            },
          ]
        : [],
    ),
  ]
}
export default commandsOf
