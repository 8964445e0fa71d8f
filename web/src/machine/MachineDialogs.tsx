import { createContext, Suspense, useState, type ReactNode } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import type { TrainingQuery } from '#src/navigation/selection.ts'
import type { MachineAction } from './machine-actions.ts'

type WithDialog = Extract<MachineAction, { dialog: unknown }>

export const OpenDialog = createContext<(action: WithDialog, machine: Machine) => void>(() => undefined)

/** Renders the dialog outside the machine's row, which can be scrolled away while the dialog is open. */
export function MachineDialogs({ of, children }: { of: TrainingQuery | null; children: ReactNode }) {
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
