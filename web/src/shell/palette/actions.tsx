import { lazy, type ReactNode } from 'react'
import type { ReplyOf } from '@trainyard/contract/call.ts'
import type { search } from '@trainyard/contract/calls/search.ts'
import { EXTENSION_MINUTES } from '@trainyard/contract/words/classroom.ts'
import { api } from '#src/api/client.ts'
import { messageOf } from '#src/api/error.ts'
import { invalidate } from '#src/api/queries.ts'
import { openInBrowser } from '#src/machine/open-in-browser.ts'
import { mayOpen } from '#src/navigation/menu.ts'
import { routes } from '#src/navigation/routes.ts'
import type { Choice, TrainingQuery } from '#src/navigation/selection.ts'
import type { Me } from '#src/session/me.ts'
import { notify } from '#src/ui/notices.ts'
import type { Entry } from './entries.ts'

const Announce = lazy(() => import('#src/training/Announce.tsx'))
const StopAll = lazy(() => import('#src/training/StopAll.tsx'))
const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

export type DialogOf = (close: () => void) => ReactNode

/** Machines for which the palette offers actions. */
const MACHINES_MAX = 5

interface Offered {
  readonly me: Pick<Me, 'role' | 'instructorOf' | 'organization' | 'abilities'>
  readonly chosen: Choice
  readonly trainingQuery: TrainingQuery | null
  readonly machines: ReplyOf<typeof search.find>['machines']
  readonly openDialog: (dialogOf: DialogOf) => void
}

const CLASS_ROUTE = routes.find(({ path }) => path === '/vm/class')!

/** Returns what the user can do: for the selected training, and for the machines that match the typed text. */
export function actionEntries({ me, chosen, trainingQuery, machines, openDialog }: Offered): readonly Entry[] {
  const isAdmin = me.role === 'admin' || me.role === 'superadmin'
  const leads = (training: string) => mayOpen(me, CLASS_ROUTE, training) === true
  return [
    ...(isAdmin ? [{ id: 'order', label: 'Order machines', go: { to: '/createvm', search: chosen } }] : []),
    ...(me.role === 'superadmin'
      ? [{ id: 'invite', label: 'Invite a user', go: { to: '/overview', search: {} } }]
      : []),
    ...(me.abilities.includes('firstSteps.createDemoClass') ? demoEntries(me, chosen) : []),
    ...(trainingQuery !== null && leads(trainingQuery.trainingName) ? classEntries(trainingQuery, openDialog) : []),
    ...machines.slice(0, MACHINES_MAX).flatMap(({ organization, training, machine, email }) => [
      { id: `open ${machine}`, label: `Open ${machine}`, hint: email, go: () => void openInBrowser(machine) },
      ...(leads(training)
        ? [
            {
              id: `resend ${machine}`,
              label: `Resend the invitation to ${email}`,
              hint: training,
              go: () => void report(() => api.classroom.invite({ ...classOf(me, organization, training), email })),
            },
          ]
        : []),
    ]),
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      hint: '?',
      go: () => openDialog((close) => <Shortcuts close={close} />),
    },
  ]
}

/** A superadmin creates the demo class in the selected organisation. */
function demoEntries({ role, organization: own }: Offered['me'], chosen: Choice): readonly Entry[] {
  const organization = role === 'superadmin' ? chosen.organization : own
  if (organization === undefined) return []
  return [
    {
      id: 'demo class',
      label: 'Try a demo class',
      hint: organization,
      go: () => void report(() => api.firstSteps.createDemoClass({ organization })),
    },
  ]
}

const classOf = ({ role }: Offered['me'], organization: string, trainingName: string): TrainingQuery => ({
  trainingName,
  ...(role === 'superadmin' && { organization }),
})

function classEntries(training: TrainingQuery, openDialog: Offered['openDialog']): readonly Entry[] {
  const { trainingName } = training
  return [
    {
      id: 'announce',
      label: `Announce to ${trainingName}`,
      go: () => openDialog((close) => <Announce training={training} close={close} />),
    },
    {
      id: 'extend',
      label: `Extend ${trainingName} by ${EXTENSION_MINUTES} minutes`,
      go: () => void report(() => api.classroom.extend(training)),
    },
    {
      id: 'stop all',
      label: `Stop all machines of ${trainingName}`,
      go: () => openDialog((close) => <StopAll training={training} running={null} close={close} />),
    },
  ]
}

async function report(call: () => Promise<{ readonly message: string }>): Promise<void> {
  try {
    notify.status((await call()).message)
    await invalidate('classroom', 'home', 'training')
  } catch (error) {
    notify.alert(messageOf(error))
  }
}

/** Returns the text to search for: 'open asha' searches for asha. */
export const searchedText = (text: string): string => text.replace(/^(?:open|resend)\s+/i, '')
