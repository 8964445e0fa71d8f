import type { Portal } from '../src/portal.ts'

export type Command = 'create' | 'start' | 'stop' | 'delete'

interface Prepared {
  /** Addresses that sign in. */
  readonly admin: string
  readonly superadmin: string
  readonly organization: string
  readonly card: string
}

/** A provider of machines as the tests see it, beside the portal. */
export interface TestProvider {
  readonly title: string
  /** Settings of the portal. */
  readonly settings: Readonly<Record<string, string>>
  /** Creates an organisation with a VM card, unless the portal has them. */
  prepare(portal: Portal): Promise<Prepared>
  /** Returns what the provider itself reports: its tagged machines, true if one runs. */
  machines(portal: Portal): Promise<ReadonlyMap<string, boolean>>
  /** Makes the next reply to such a command get lost, with its effect. */
  loseReply(portal: Portal, command: Command): Promise<void>
  /** Changes a machine without the portal. */
  outside(portal: Portal, name: string, change: 'stop' | 'start' | 'delete'): Promise<void>
  /** Limits the number of machines to the present one, or removes the limit. */
  limitMachines(portal: Portal, isLimited: boolean): Promise<void>
  /** Part of the sentence that tells about the limit. */
  readonly limitSentence: RegExp
  setReachable(portal: Portal, isReachable: boolean): Promise<void>
  /** Creates a machine with a tag of the portal that has no row. */
  makeOrphan(portal: Portal): Promise<string>
  /** True if an image of a machine contains the files of its disk. */
  readonly imagesHaveFiles: boolean
  /** Saves a VM card with a captured image. */
  saveCard(portal: Portal, name: string, imageId: string): Promise<void>
  /** Opens a port on the machine, and returns a function that tells whether a client elsewhere reaches it. */
  serve(portal: Portal, machine: { readonly name: string; readonly address: string }): Promise<() => Promise<boolean>>
  /** Seconds that the machine ran by the provider's record. */
  secondsRun(portal: Portal, name: string): Promise<number>
  close(): Promise<void>
}
