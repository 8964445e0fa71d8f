import { createContext, Suspense, useState, type ReactNode } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { OfTraining } from '#src/navigation/selection.ts'
import type { MachineAction } from './machine-actions.ts'

type WithDialog = Extract<MachineAction, { dialog: unknown }>

/** Opens an action's dialog on a machine. */
export const OpenDialog = createContext<(action: WithDialog, machine: Machine) => void>(() => undefined)

/** Holds the dialog that a machine's menu opened: the row it came from may leave the sight, and the page, meanwhile. */
export function MachineDialogs({ of, children }: { of: OfTraining | null; children: ReactNode }) {
  const [opened, setOpened] = useState<{ Dialog: WithDialog['dialog']; machine: Machine } | null>(null)
  const [open] = useState(
    () =>
      ({ dialog: Dialog }: WithDialog, machine: Machine) =>
        setOpened({ Dialog, machine }),
  )
  return (
    <OpenDialog value={open}>
      {children}
      {opened !== null && of !== null && (
        <Suspense>
          <opened.Dialog machine={opened.machine} of={of} close={() => setOpened(null)} />
        </Suspense>
      )}
    </OpenDialog>
  )
}
