import { Fills } from '@trainyard/platform/web/shell/Fills.tsx'
import { Screen } from '@trainyard/platform/web/ui/Screen.tsx'
import styles from './AccountSecurity.module.css'
import { securitySections } from './slots.ts'

export default function AccountSecurity() {
  return (
    <Screen>
      <div className={styles.sections}>
        <Fills of={securitySections} props={{}} />
      </div>
    </Screen>
  )
}
