import { useNavigate } from '@tanstack/react-router'
import { use, useEffect, useId, useRef } from 'react'
import type { Machine } from '@trainyard/contract/calls/machine.ts'
import { choiceOf } from '#src/navigation/useSelection.ts'
import type { MachineAction } from './machine-actions.ts'
import { OpenDialog } from './MachineDialogs.tsx'
import styles from './MachineMenu.module.css'

interface MachineMenuItemProps {
  action: MachineAction
  machine: Machine
  isFirst: boolean
  close: () => void
}

export function MachineMenuItem({ action, machine, isFirst, close }: MachineMenuItemProps) {
  const item = useRef<HTMLButtonElement>(null)
  const id = useId()
  const open = use(OpenDialog)
  const navigate = useNavigate()
  useEffect(() => {
    if (isFirst) item.current?.focus()
  }, [isFirst])
  const may = action.may?.(machine) ?? true
  const act = () => {
    close()
    if ('run' in action) action.run(machine)
    else if ('dialog' in action) open(action, machine)
    else
      void navigate({
        to: action.to,
        search: (now: object) => ({ ...choiceOf(now), ...action.search(machine) }) as never,
      })
  }
  return (
    <button
      ref={item}
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={styles.item}
      data-destroys={action.destroys}
      aria-label={action.label}
      aria-disabled={may !== true || undefined}
      aria-describedby={may === true ? undefined : id}
      onClick={() => may === true && act()}
    >
      {action.label}
      {may !== true && (
        <span id={id} className={styles.reason}>
          {may}
        </span>
      )}
    </button>
  )
}
