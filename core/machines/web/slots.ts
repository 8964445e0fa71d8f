import type { Api } from '@trainyard/platform/web/api/client.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import { service, slot } from '@trainyard/platform/web/shell/module.ts'

/** Above the machines of a training. */
export const consoleTop = slot<{ training: TrainingQuery }>('console.top')

/** Asks before planned machines start. */
export const startQuestion = slot<{
  training: TrainingQuery
  title: string
  names: ReadonlySet<string>
  busy: boolean
  start: () => void
  close: () => void
}>('machines.start-question')

/** How a browser gets to machines: addresses that open a machine, or show what its user does. */
export interface WebAccess {
  readonly open: (api: Api, machine: string) => Promise<{ readonly url: string }>
  readonly watch: (api: Api, machine: string) => Promise<{ readonly url: string }>
}

/** Without a module that provides it, the portal only manages machines. */
export const webAccess = service<WebAccess>('machines.web-access')

/** Finds the training of a machine. Without a module that provides it, an ended machine cannot be started from its page. */
export const findMachine =
  service<(api: Api, machine: string) => Promise<{ readonly organization: string; readonly training: string } | null>>(
    'machines.find',
  )
