import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal'
import { MenuItem, PopoverMenu } from '@trainyard/platform/web/ui/PopoverMenu.tsx'
import styles from './Class.module.css'

interface ViewMenuProps {
  choices: readonly { readonly label: string; readonly isChosen: boolean; readonly choose: () => void }[]
}

/** The controls of the list of learners, where there is no room for them. */
export const ViewMenu = ({ choices }: ViewMenuProps) => (
  <PopoverMenu
    label="View"
    className={styles.settings!}
    button={
      <>
        <IconAdjustmentsHorizontal size={16} aria-hidden />
        View
      </>
    }
  >
    {(close) =>
      choices.map(({ label, isChosen, choose }, index) => (
        <MenuItem
          key={label}
          label={label}
          may={!isChosen || 'Shown now.'}
          isFirst={index === 0}
          onClick={() => {
            close()
            choose()
          }}
        />
      ))
    }
  </PopoverMenu>
)
