import IconCamera from '@tabler/icons-react/icons/IconCamera'
import IconDots from '@tabler/icons-react/icons/IconDots'
import IconPlayerPlay from '@tabler/icons-react/icons/IconPlayerPlay'
import IconPlayerStop from '@tabler/icons-react/icons/IconPlayerStop'
import IconReload from '@tabler/icons-react/icons/IconReload'
import { use } from 'react'
import type { Machine } from '../contract/machine.ts'
import { ALERTS } from '@trainyard/platform/contract/words/problems.ts'
import { bulkActionsOf } from './machine-actions.ts'
import { OpenDialog } from './MachineDialogs.tsx'
import { useMe } from '@trainyard/platform/web/session/me.ts'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import { ReasonButton } from '@trainyard/platform/web/ui/ReasonButton.tsx'
import type { Command } from './commands.ts'
import {
  captureProblem,
  leadingCommand,
  mayApplyToAll,
  selectRunning,
  selectStopped,
  toggleAll,
  type Selected,
} from './machine-selection.ts'
import styles from './Toolbar.module.css'

interface ToolbarProps {
  withTraining: boolean
  machines: readonly Machine[]
  shown: readonly Machine[]
  chosen: readonly Machine[]
  select: (selected: Selected) => void
  act: (command: Command) => void
  capture: ((machine: Machine) => void) | null
}

/** Renders the specification's three selection buttons, which remain visible while the list scrolls. */
export function Toolbar({ withTraining, machines, shown, chosen, select, act, capture }: ToolbarProps) {
  const maySelect = withTraining || ALERTS.pickTraining
  const mayAct = chosen.length > 0 || ALERTS.nothingSelected
  const leading = leadingCommand(chosen)
  const variantOf = (command: 'on' | 'off') => (command === leading ? 'filled' : 'default')
  const bulkActions = bulkActionsOf(useMe().role)
  const open = use(OpenDialog)
  const running = machines.filter((machine) => machine.isRunning).length
  const ids = new Set(chosen.map((machine) => machine._id))
  return (
    <div className={`${styles.bar} no-print`} data-sticky>
      <fieldset className={styles.group} aria-label="Select">
        <ReasonButton variant="default" size="sm" may={maySelect} onClick={() => select(toggleAll(shown, ids))}>
          Bulk Select
        </ReasonButton>
        <ReasonButton variant="default" size="sm" may={maySelect} onClick={() => select(selectRunning(shown))}>
          Active Instances
        </ReasonButton>
        <ReasonButton variant="default" size="sm" may={maySelect} onClick={() => select(selectStopped(shown))}>
          Inactive Instances
        </ReasonButton>
      </fieldset>
      <fieldset className={styles.group} aria-label="With the selected instances">
        <ReasonButton
          variant={variantOf('on')}
          size="sm"
          may={mayAct}
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          onClick={() => act('on')}
        >
          Power On
        </ReasonButton>
        <ReasonButton
          variant={variantOf('off')}
          size="sm"
          may={mayAct}
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          onClick={() => act('off')}
        >
          Power Off
        </ReasonButton>
        <ReasonButton
          variant="default"
          size="sm"
          may={mayAct}
          leftSection={<IconReload size={16} aria-hidden />}
          onClick={() => act('restart')}
        >
          Restart
        </ReasonButton>
        {capture && (
          <ReasonButton
            variant="default"
            size="sm"
            may={captureProblem(chosen) ?? true}
            leftSection={<IconCamera size={16} aria-hidden />}
            onClick={() => capture(chosen[0]!)}
          >
            Snapshot
          </ReasonButton>
        )}
        {bulkActions.length > 0 && (
          <PopoverMenu
            label="More actions for the selected instances"
            title="More actions"
            className={styles.more!}
            button={<IconDots size={17} aria-hidden />}
          >
            {(close) =>
              bulkActions.map(({ label, may, dialog, destroys }, index) => (
                <MenuItem
                  key={label}
                  label={label}
                  may={mayApplyToAll(chosen, may)}
                  destroys={destroys}
                  isFirst={index === 0}
                  onClick={() => {
                    close()
                    open(dialog, chosen)
                  }}
                />
              ))
            }
          </PopoverMenu>
        )}
      </fieldset>
      <output className={styles.count}>
        {machines.length > 0 &&
          (chosen.length > 0
            ? `${chosen.length} of ${machines.length} selected`
            : `${machines.length} ${machines.length === 1 ? 'instance' : 'instances'}, ${running} running`)}
      </output>
    </div>
  )
}
