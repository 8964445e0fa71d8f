import { createContext, Suspense, useState, type ComponentType, type ReactNode } from 'react'
import type { Machine } from '../contract/machine.ts'
import type { TrainingQuery } from '@trainyard/platform/web/navigation/selection.ts'
import type { MachineDialogProps } from './machine-dialog.ts'

type OpenMachineDialog = (dialog: ComponentType<MachineDialogProps>, machines: readonly Machine[]) => void

/** Null outside MachineDialogs, so that a menu without MachineDialogs throws instead of doing nothing. */
export const OpenDialog = createContext<OpenMachineDialog>(null!)

/** Renders the dialog outside the machine's row, which can be scrolled away while the dialog is open. */
export function MachineDialogs({ training, children }: { training: TrainingQuery | null; children: ReactNode }) {
  const [opened, setOpened] = useState<{
    Dialog: ComponentType<MachineDialogProps>
    machines: readonly Machine[]
  } | null>(null)
  const [open] = useState((): OpenMachineDialog => (Dialog, machines) => setOpened({ Dialog, machines }))
  return (
    <OpenDialog value={open}>
      {children}
      {opened !== null && training !== null && (
        <Suspense>
          <opened.Dialog machines={opened.machines} training={training} close={() => setOpened(null)} />
        </Suspense>
      )}
    </OpenDialog>
  )
}
